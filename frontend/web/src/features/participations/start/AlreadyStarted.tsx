import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { Schemas } from '@/api/client'
import { ErrorMessage } from '@/shared/ui/QueryStates'
import { CandidateMessage } from '../CandidateFrame'
import { participation } from '../requests'
import { invitationTokenOfTab } from '../saving/storage'
import { useStart } from './useStart'

/** Shown if the assessment was already started, here or on another device. */
export function AlreadyStarted({ token, found }: { token: string; found: Schemas['TakeView'] }) {
  const mine = useQuery({ ...participation, retry: false })
  const start = useStart(token)
  if (mine.isPending)
    return (
      <CandidateMessage name={found.assessment} title={found.assessment}>
        {null}
      </CandidateMessage>
    )
  if (mine.data?.id === found.participation_id && !mine.error)
    return (
      <CandidateMessage name={found.assessment} title="Your assessment is in progress">
        <Text mb="lg">{found.assessment} is in progress in this browser, and its clock does not stop.</Text>
        <Button
          component={Link}
          to="/participation"
          size="md"
          onClick={() => invitationTokenOfTab.set(token)}
        >
          Continue
        </Button>
      </CandidateMessage>
    )
  return (
    <CandidateMessage name={found.assessment} title="The assessment is in progress on another device">
      <Text>
        {found.name}, you started {found.assessment} on another device or in another browser. Its clock is
        running.
      </Text>
      <Text mt="sm" mb="lg">
        If you continue here, the other page can no longer save anything. Everything that it saved is here.
        You can switch back in the same way.
      </Text>
      {start.error && <ErrorMessage error={start.error} />}
      <Button size="md" loading={start.isPending} onClick={() => start.mutate(found.name || 'Candidate')}>
        Continue here
      </Button>
    </CandidateMessage>
  )
}
