import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { Schemas } from '../api/client'
import { participation } from '../api/taking'
import { Broken } from '../parts/States'
import { Calm } from './Quiet'
import { linkOfThisTab } from './storage'
import { useStart } from './useStart'

/** It was started before: here, or on another device. */
export function Running({ token, found }: { token: string; found: Schemas['TakeView'] }) {
  const mine = useQuery({ ...participation, retry: false })
  const start = useStart(token)
  if (mine.isPending)
    return (
      <Calm name={found.assessment} title={found.assessment}>
        {null}
      </Calm>
    )
  if (mine.data?.id === found.participation_id && !mine.error)
    return (
      <Calm name={found.assessment} title="You are in the middle of it">
        <Text mb="lg">{found.assessment} runs in this browser, and so does its time.</Text>
        <Button component={Link} to="/participation" size="md" onClick={() => linkOfThisTab.set(token)}>
          Go on
        </Button>
      </Calm>
    )
  return (
    <Calm name={found.assessment} title="It runs on another device">
      <Text>
        {found.name}, you started {found.assessment} on another device or in another browser. Its time runs.
      </Text>
      <Text mt="sm" mb="lg">
        If you go on here, you work here from then on. The other page stays open but can save nothing any
        more; what it has saved is here. You can go back in the same way.
      </Text>
      {start.error && <Broken error={start.error} />}
      <Button size="md" loading={start.isPending} onClick={() => start.mutate(found.name || 'Candidate')}>
        Go on here
      </Button>
    </Calm>
  )
}
