import { Button, Text } from '@mantine/core'
import { ErrorMessage } from '@/shared/ui/QueryStates'
import { CandidateMessage } from '../CandidateFrame'
import { invitationTokenOfTab } from '../saving/storage'
import { useStart } from './useStart'

/** Shown on a device after the assessment was continued on another one. */
export function TakenOver({ name }: { name?: string }) {
  const token = invitationTokenOfTab.get()
  const start = useStart(token ?? '')
  return (
    <CandidateMessage {...(name && { name })} title="The assessment was opened on another device">
      <Text>
        Your assessment was opened with your link on another device and continues there. This page can no
        longer save or submit. Everything that it saved is there too.
      </Text>
      {start.error && <ErrorMessage error={start.error} />}
      {token ? (
        <Button mt="lg" loading={start.isPending} onClick={() => start.mutate('Candidate')}>
          Continue here instead
        </Button>
      ) : (
        <Text mt="sm">To work here again, open your invitation link.</Text>
      )}
      <Text mt="lg" c="dimmed" size="sm">
        If this was not you, tell the team that invited you, because someone else has your link.
      </Text>
    </CandidateMessage>
  )
}
