import { Button } from '@mantine/core'
import { IconPlugConnectedX } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { probe, useConnection } from '../api/connection'
import css from './ConnectionNote.module.css'

const TOLD = {
  offline: 'You are offline. What is on this page stays; what you write is kept in this browser.',
  away: 'The service cannot be reached. It is asked again every few seconds.',
  restarting: 'The service is restarting. It is asked again every few seconds.',
}

/** A note at the foot of the page while there is no connection; what failed meanwhile is asked again after. */
export function ConnectionNote() {
  const connection = useConnection()
  const client = useQueryClient()
  useEffect(() => {
    if (connection === 'fine')
      client.refetchQueries({ predicate: query => query.state.status === 'error', type: 'active' })
  }, [connection, client])
  return (
    <div role="status" className={connection === 'fine' ? undefined : css.note}>
      {connection !== 'fine' && (
        <>
          <IconPlugConnectedX size={20} aria-hidden />
          <span>{TOLD[connection]}</span>
          <Button size="compact-sm" variant="default" onClick={probe}>
            Try now
          </Button>
        </>
      )}
    </div>
  )
}
