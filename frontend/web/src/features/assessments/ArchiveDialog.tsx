import { Text } from '@mantine/core'
import { ConfirmDialog } from '@/shared/forms/ConfirmDialog'

interface Props {
  onClose: () => void
  onSend: () => void
  busy: boolean
  error: Error | null
}

/** Asks for confirmation before archiving. */
export function ArchiveDialog(props: Props) {
  return (
    <ConfirmDialog title="Archive this assessment?" label="Archive" {...props}>
      <Text size="sm">
        No one can start it any more. Candidates who have already started can finish. You can restore it.
      </Text>
    </ConfirmDialog>
  )
}
