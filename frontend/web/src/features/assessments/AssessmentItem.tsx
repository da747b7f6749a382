import { ActionIcon, Anchor, Button, Group, Menu, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconDots } from '@tabler/icons-react'
import { Link, useNavigate } from 'react-router'
import { api, type Schemas, unwrap } from '@/api/client'
import { useTeamMutation } from '@/api/teams'
import { atLeast, type Team } from '@/features/teams'
import { formatDate } from '@/shared/format/dates'
import { Dialog } from '@/shared/ui/Dialog'
import { ErrorMessage } from '@/shared/ui/QueryStates'
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
  const [leaving, { open: ask, close }] = useDisclosure()
  const path = { team_id: team.id, assessment_id: assessment.id }
  const clone = useTeamMutation(
    team.id,
    () => unwrap(api.POST('/api/teams/{team_id}/assessments/{assessment_id}/clone', { params: { path } })),
    made => go(`/teams/${team.id}/assessments/${made.id}`),
  )
  const archive = useTeamMutation(team.id, () =>
    unwrap(api.POST('/api/teams/{team_id}/assessments/{assessment_id}/archive', { params: { path } })),
  )
  const restore = useTeamMutation(team.id, () =>
    unwrap(api.POST('/api/teams/{team_id}/assessments/{assessment_id}/restore', { params: { path } })),
  )
  const error = clone.error ?? archive.error ?? restore.error
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
            <Menu.Item onClick={() => archive.mutate(undefined)}>Archive</Menu.Item>
          )}
          <Menu.Divider role="separator" />
          <Menu.Item c="var(--g-bad)" onClick={ask}>
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {error && (
        <Dialog
          title={assessment.name}
          onClose={() => {
            for (const deed of [clone, archive, restore]) deed.reset()
          }}
        >
          <ErrorMessage error={error} />
        </Dialog>
      )}
      <Leave team={team} assessment={assessment} opened={leaving} close={close} />
    </div>
  )
}

/** Asks for confirmation before deleting. */
function Leave({ team, assessment, opened, close }: Props & { opened: boolean; close: () => void }) {
  const leave = useTeamMutation(team.id, () =>
    unwrap(
      api.DELETE('/api/teams/{team_id}/assessments/{assessment_id}', {
        params: { path: { team_id: team.id, assessment_id: assessment.id } },
      }),
    ),
  )
  return (
    <Dialog title={`Delete “${assessment.name}”?`} opened={opened} onClose={close}>
      <Text size="sm">
        This permanently deletes its plan and invitations. An assessment that someone has taken can only be
        archived.
      </Text>
      {leave.error && <ErrorMessage error={leave.error} />}
      <Group mt="lg" justify="flex-end">
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
        <Button color="red.9" loading={leave.isPending} onClick={() => leave.mutate(undefined)}>
          Delete
        </Button>
      </Group>
    </Dialog>
  )
}
