import { Anchor, List, Text } from '@mantine/core'
import { Link } from 'react-router'
import type { ApiError } from '@/api/client'
import { ConfirmDialog } from '@/shared/forms/ConfirmDialog'

interface Props {
  teamId: string
  refusal: ApiError
  busy: boolean
  onClose: () => void
  onSend: () => void
}

/** Lists the assessments that use a challenge, and asks whether to archive it anyway. */
export function InUseNotice({ teamId, refusal, busy, onClose, onSend }: Props) {
  return (
    <ConfirmDialog
      title="Archive this challenge?"
      label="Archive"
      onClose={onClose}
      onSend={onSend}
      busy={busy}
    >
      <Text mb="xs">These assessments use it:</Text>
      <List mb="sm">
        {refusal.fields.map(({ field, message }) => (
          <List.Item key={field}>
            <Anchor component={Link} to={`/teams/${teamId}/assessments/${field}`}>
              {message}
            </Anchor>
          </List.Item>
        ))}
      </List>
      <Text size="sm">
        Open assessments keep the version they were opened with, so invited candidates are not affected. In
        drafts, replace the challenge before you open them. You can restore the challenge at any time.
      </Text>
    </ConfirmDialog>
  )
}
