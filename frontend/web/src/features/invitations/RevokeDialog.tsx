import { Button, Group, Text } from '@mantine/core'
import { Dialog } from '@/shared/ui/Dialog'
import { ErrorMessage } from '@/shared/ui/QueryStates'
import { useInvitationActions } from './model/requests'

interface Props {
  id: string
  called: string
  opened: boolean
  close: () => void
}

/** Asks for confirmation before revoking an invitation. */
export function RevokeDialog({ id, called, opened, close }: Props) {
  const { revoke } = useInvitationActions(id)
  return (
    <Dialog title="Revoke the invitation?" opened={opened} onClose={close}>
      <Text size="sm">The links for {called} stop working. You can invite the candidate again.</Text>
      {revoke.error && <ErrorMessage error={revoke.error} />}
      <Group mt="lg" justify="flex-end">
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
        <Button
          color="red.9"
          loading={revoke.isPending}
          onClick={() => revoke.mutate(undefined, { onSuccess: close })}
        >
          Revoke
        </Button>
      </Group>
    </Dialog>
  )
}
