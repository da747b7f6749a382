import { ActionIcon, Anchor, Button, Group, Menu, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconDots } from '@tabler/icons-react'
import { Link, useNavigate } from 'react-router'
import { day } from '../account/when'
import { api, type Schemas, told } from '../api/client'
import { useTeamDeed } from '../api/teams'
import { Dialog } from '../parts/Dialog'
import { Broken } from '../parts/States'
import css from './Assessments.module.css'
import { StateChip } from './StateChip'
import { atLeast, type Team } from './TeamFrame'

type Card = Schemas['AssessmentCard']
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
          {day(assessment.created_at)}
        </Text>
      </div>
      {assessment.state !== 'draft' && (
        <div className={css.parts}>
          {(['invitations', 'live', 'results'] as const).map(part => (
            <Anchor
              key={part}
              component={Link}
              to={`${at}/${part}`}
              inherit
              aria-label={`${named(part)} of ${assessment.name}`}
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

/** What can be done about it. */
function More({ team, assessment }: Props) {
  const go = useNavigate()
  const [leaving, { open: ask, close }] = useDisclosure()
  const path = { team_id: team.id, assessment_id: assessment.id }
  const clone = useTeamDeed(
    team.id,
    () => told(api.POST('/api/teams/{team_id}/assessments/{assessment_id}/clone', { params: { path } })),
    made => go(`/teams/${team.id}/assessments/${made.id}`),
  )
  const archive = useTeamDeed(team.id, () =>
    told(api.POST('/api/teams/{team_id}/assessments/{assessment_id}/archive', { params: { path } })),
  )
  const restore = useTeamDeed(team.id, () =>
    told(api.POST('/api/teams/{team_id}/assessments/{assessment_id}/restore', { params: { path } })),
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
            <Menu.Item onClick={() => restore.mutate(undefined)}>Restore as a draft</Menu.Item>
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
          <Broken error={error} />
        </Dialog>
      )}
      <Leave team={team} assessment={assessment} opened={leaving} close={close} />
    </div>
  )
}

/** Deleting asks once more. */
function Leave({ team, assessment, opened, close }: Props & { opened: boolean; close: () => void }) {
  const leave = useTeamDeed(team.id, () =>
    told(
      api.DELETE('/api/teams/{team_id}/assessments/{assessment_id}', {
        params: { path: { team_id: team.id, assessment_id: assessment.id } },
      }),
    ),
  )
  return (
    <Dialog title={`Delete «${assessment.name}»`} opened={opened} onClose={close}>
      <Text size="sm">
        Its plan and its invitations go at once, for good. What somebody has taken can be archived only.
      </Text>
      {leave.error && <Broken error={leave.error} />}
      <Group mt="lg" justify="flex-end">
        <Button variant="default" onClick={close}>
          Keep it
        </Button>
        <Button color="red.9" loading={leave.isPending} onClick={() => leave.mutate(undefined)}>
          Delete it
        </Button>
      </Group>
    </Dialog>
  )
}
