import { Text } from '@mantine/core'
import { api, unwrap } from '@/api/client'
import { useTeamMutation } from '@/api/teams'
import { ConfirmDialog } from '@/shared/forms/ConfirmDialog'

interface Props {
  teamId: string
  assessmentId: string
  onClose: () => void
}

/** Asks for confirmation before archiving. */
export function ArchiveDialog({ teamId, assessmentId, onClose }: Props) {
  const path = { team_id: teamId, assessment_id: assessmentId }
  const archive = useTeamMutation(teamId, () =>
    unwrap(api.POST('/api/teams/{team_id}/assessments/{assessment_id}/archive', { params: { path } })),
  )
  return (
    <ConfirmDialog
      title="Archive this assessment?"
      label="Archive"
      onClose={onClose}
      onSend={() => archive.mutate(undefined, { onSuccess: onClose })}
      busy={archive.isPending}
      error={archive.error}
    >
      <Text size="sm">
        No one can start it any more. Candidates who have already started can finish. You can restore it.
      </Text>
    </ConfirmDialog>
  )
}
