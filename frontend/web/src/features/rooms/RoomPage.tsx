import { Anchor, Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import { ApiError } from '@/api/client'
import { CandidateMessage } from '@/features/participations'
import { useTitle } from '@/shared/hooks/useTitle'
import { ErrorMessage } from '@/shared/ui/QueryStates'
import { OpenRoom } from './OpenRoom'
import { room as roomQuery } from './requests'

/** A live interview, for everybody in it. */
export function Component() {
  const { roomId = '' } = useParams()
  const query = useQuery({ ...roomQuery(roomId), retry: retried })
  useTitle(query.data?.title ?? 'Live interview')
  const found = query.data
  if (found?.ended_at)
    return <Ended roomId={roomId} title={found.title} mayReplay={found.role === 'interviewer'} />
  if (query.error instanceof ApiError && query.error.status < 500 && query.error.status !== 0)
    return <Closed error={query.error} />
  if (!found)
    return (
      <CandidateMessage title="Live interview">
        {query.error ? <ErrorMessage error={query.error} again={() => query.refetch()} /> : 'Loading…'}
      </CandidateMessage>
    )
  return <OpenRoom key={roomId} room={found} />
}

const retried = (count: number, error: Error) =>
  !(error instanceof ApiError && error.status >= 400 && error.status < 500) && count < 3

function Closed({ error }: { error: ApiError }) {
  if (error.status === 410)
    return (
      <CandidateMessage title="The interview has ended">
        <Text>Thank you for your time. Your code is saved, and the team that interviewed you has it.</Text>
      </CandidateMessage>
    )
  return (
    <CandidateMessage title="You are not in this interview">
      <Text mb="md">{error.message}</Text>
      {error.status === 401 && (
        <Anchor component={Link} to={`/sign-in?then=${encodeURIComponent(window.location.pathname)}`}>
          Sign in as an interviewer
        </Anchor>
      )}
    </CandidateMessage>
  )
}

function Ended({ roomId, title, mayReplay }: { roomId: string; title: string; mayReplay: boolean }) {
  return (
    <CandidateMessage name={title} title="The interview has ended">
      <Text mb="lg">
        {mayReplay
          ? 'The code, the transcript and your notes are saved.'
          : 'Thank you for your time. Your code is saved, and the team that interviewed you has it.'}
      </Text>
      {mayReplay && (
        <Button component={Link} to={`/rooms/${roomId}/replay`}>
          Open the replay
        </Button>
      )}
    </CandidateMessage>
  )
}
