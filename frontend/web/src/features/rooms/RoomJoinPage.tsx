import { Button, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { ApiError, api, type Schemas, unwrap } from '@/api/client'
import { CandidateMessage } from '@/features/participations'
import { useTitle } from '@/shared/hooks/useTitle'
import { ErrorMessage } from '@/shared/ui/QueryStates'
import { roomKey, roomOffer } from './requests'

type Offer = Schemas['RoomOffer']

/** What a link of a live interview opens. It asks for a name. */
export function Component() {
  const token = useLocation().hash.slice(1)
  useTitle('Live interview')
  const offer = useQuery({ ...roomOffer(token), enabled: token !== '', retry: false })
  if (!token) return <NoLink message="This link is incomplete. Open it again, exactly as you received it." />
  if (offer.error) return <NoLink message={offer.error.message} />
  if (!offer.data) return <CandidateMessage title="Live interview">Loading…</CandidateMessage>
  return <Enter token={token} offer={offer.data} />
}

function NoLink({ message }: { message: string }) {
  return (
    <CandidateMessage title="This link does not work">
      <Text>{message}</Text>
    </CandidateMessage>
  )
}

function Enter({ token, offer }: { token: string; offer: Offer }) {
  const go = useNavigate()
  const client = useQueryClient()
  const [name, setName] = useState('')
  const enter = useMutation({
    mutationFn: () => unwrap(api.POST('/api/room-links/enter', { body: { token, name: name.trim() } })),
    onSuccess: async ({ room_id }) => {
      await client.invalidateQueries({ queryKey: roomKey(room_id) })
      go(`/rooms/${room_id}`)
    },
  })
  const refused = enter.error instanceof ApiError ? enter.error.messageFor('name') : undefined
  const known = offer.entered_as
  return (
    <CandidateMessage name={offer.team} title={offer.title}>
      <Text c="dimmed" mb="lg">
        {offer.role === 'candidate'
          ? `${offer.team} invites you to a live interview of about ${offer.minutes} minutes. You write code together with the interviewers in one editor.`
          : `You watch a live interview of ${offer.team}. You see the code and the results, and cannot change anything.`}
      </Text>
      {known && (
        <Button size="md" mb="xl" onClick={() => go(`/rooms/${offer.room_id}`)}>
          Continue as {known}
        </Button>
      )}
      <form
        onSubmit={event => {
          event.preventDefault()
          enter.mutate()
        }}
      >
        <TextInput
          label={known ? 'Or enter under another name' : 'Your name'}
          description="Everyone in the interview sees it."
          value={name}
          onChange={event => setName(event.currentTarget.value)}
          error={refused}
          autoComplete="name"
          maxLength={80}
          required
        />
        {enter.error && !refused && <ErrorMessage error={enter.error} />}
        <Button
          type="submit"
          mt="md"
          size="md"
          variant={known ? 'default' : 'filled'}
          loading={enter.isPending}
          disabled={!name.trim()}
        >
          Enter
        </Button>
      </form>
      <Text size="sm" c="dimmed" mt="lg">
        Recorded for the team: every edit of the code with its author and time, what is run and submitted, and
        who comes and leaves. There is no sound and no picture.
      </Text>
    </CandidateMessage>
  )
}
