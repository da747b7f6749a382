import { ActionIcon, Anchor, Menu, Text } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { api, type Schemas, unwrap } from '@/api/client'
import { useTeamMutation } from '@/api/teams'
import { atLeast, type Team } from '@/features/teams'
import { formatDate } from '@/shared/format/dates'
import { ConfirmDialog } from '@/shared/forms/ConfirmDialog'
import { Dialog } from '@/shared/ui/Dialog'
import { ErrorMessage } from '@/shared/ui/QueryStates'
import { ArchiveDialog } from './ArchiveDialog'
import css from './Assessments.module.css'
import { CandidateCounts } from './CandidateCounts'
import { StateChip } from './StateChip'

type Card = Schemas['ListedAssessment']
interface Props {
  team: Team
  assessment: Card
}

/** An assessment in the list of its team. */
export function AssessmentItem({ team, assessment }: Props) {
  const at = `/teams/${team.id}/assessments/${assessment.id}`
  return (
    <li className={css.item}>
      <div className={css.what}>
        <div className={css.head}>
          <Link to={at} className={css.name}>
            {assessment.name}
          </Link>
          <StateChip state={assessment.state} />
        </div>
        <Text size="sm" c="dimmed">
          {assessment.created_by ? `By ${assessment.created_by}, ` : ''}
          {formatDate(assessment.created_at)}
        </Text>
        {assessment.state !== 'draft' && <CandidateCounts counts={assessment.counts} />}
      </div>
      {assessment.state !== 'draft' && (
        <div className={css.parts}>
          {(['invitations', 'live', 'results'] as const).map(part => (
            <Anchor
              key={part}
              component={Link}
              to={`${at}/${part}`}
              inherit
              aria-label={`${named(part)}: ${assessment.name}`}
            >
              {named(part)}
            </Anchor>
          ))}
        </div>
      )}
      {atLeast(team, 'author') && <More team={team} assessment={assessment} />}
    </li>
  )
}

const named = (part: string) => part[0]?.toUpperCase() + part.slice(1)

/** The menu of actions. */
function More({ team, assessment }: Props) {
  const go = useNavigate()
  const [dialog, setDialog] = useState<'archive' | 'delete' | null>(null)
  const close = () => setDialog(null)
  const path = { team_id: team.id, assessment_id: assessment.id }
  const clone = useTeamMutation(
    team.id,
    () => unwrap(api.POST('/api/teams/{team_id}/assessments/{assessment_id}/clone', { params: { path } })),
    made => go(`/teams/${team.id}/assessments/${made.id}`),
  )
  const restore = useTeamMutation(team.id, () =>
    unwrap(api.POST('/api/teams/{team_id}/assessments/{assessment_id}/restore', { params: { path } })),
  )
  const error = clone.error ?? restore.error
  return (
    <div className={css.more}>
      <Menu position="bottom-end" width={190}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${assessment.name}`}>
            <IconDots size={19} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => clone.mutate(undefined)}>Clone</Menu.Item>
          {assessment.state === 'archived' ? (
            <Menu.Item onClick={() => restore.mutate(undefined)}>Restore as draft</Menu.Item>
          ) : (
            <Menu.Item onClick={() => setDialog('archive')}>Archive</Menu.Item>
          )}
          <Menu.Divider role="separator" />
          <Menu.Item c="var(--g-bad)" onClick={() => setDialog('delete')}>
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {error && (
        <Dialog
          title={assessment.name}
          onClose={() => {
            for (const deed of [clone, restore]) deed.reset()
          }}
        >
          <ErrorMessage error={error} />
        </Dialog>
      )}
      {dialog === 'archive' && (
        <ArchiveDialog teamId={team.id} assessmentId={assessment.id} onClose={close} />
      )}
      {dialog === 'delete' && <DeleteDialog team={team} assessment={assessment} onClose={close} />}
    </div>
  )
}

/** Asks for confirmation before deleting. */
function DeleteDialog({ team, assessment, onClose }: Props & { onClose: () => void }) {
  const remove = useTeamMutation(team.id, () =>
    unwrap(
      api.DELETE('/api/teams/{team_id}/assessments/{assessment_id}', {
        params: { path: { team_id: team.id, assessment_id: assessment.id } },
      }),
    ),
  )
  return (
    <ConfirmDialog
      title={`Delete “${assessment.name}”?`}
      label="Delete"
      onClose={onClose}
      onSend={() => remove.mutate(undefined)}
      busy={remove.isPending}
      error={remove.error}
      grave
    >
      <Text size="sm">
        This permanently deletes its plan and invitations. An assessment that someone has taken can only be
        archived.
      </Text>
    </ConfirmDialog>
  )
}
