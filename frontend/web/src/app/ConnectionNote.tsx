import { Button } from '@mantine/core'
import { IconPlugConnectedX } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { probe, useConnection } from '@/api/connection'
import css from './ConnectionNote.module.css'
import { describeConnection } from './describeConnection'

/** A note at the bottom of the page while the connection is down. Failed queries run again once it is back. */
export function ConnectionNote() {
  const connection = useConnection()
  const { pathname } = useLocation()
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
          <span>{describeConnection(connection, pathname)}</span>
          <Button size="compact-sm" variant="default" onClick={probe}>
            Try again now
          </Button>
        </>
      )}
    </div>
  )
}
