import { Anchor, Button, Code, Group, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import { ApiError } from '@/api/client'
import { atLeast, type Team } from '@/features/teams'
import { useTitle } from '@/shared/hooks/useTitle'
import { Dialog } from '@/shared/ui/Dialog'
import { ErrorMessage, Loaded } from '@/shared/ui/QueryStates'
import css from './Authoring.module.css'
import { Findings } from './gate/Findings'
import { GateReport } from './gate/GateReport'
import { describeMissing } from './gate/missingParts'
import { GateState, State } from './gate/states'
import { InUseNotice } from './InUseNotice'
import { RejudgeNotice } from './rejudges/RejudgeNotices'
import { isGateRunning, type TeamChallenge, teamChallenge, useChallengeAction } from './requests'
import { VersionEditor } from './VersionEditor'

/** A challenge of the team: its files, what needs fixing, and the gate's findings. */
export function ChallengeDetails({ team }: { team: Team }) {
  const { challengeId = '' } = useParams()
  const query = useQuery(teamChallenge(team.id, challengeId))
  useTitle(query.data?.title ?? 'Challenge')
  return <Loaded query={query}>{own => <Shown team={team} own={own} />}</Loaded>
}

function Shown({ team, own }: { team: Team; own: TeamChallenge }) {
  const writes = atLeast(team, 'author')
  return (
    <>
      <Anchor component={Link} to={`/teams/${team.id}/challenges`} size="sm">
        All challenges
      </Anchor>
      <Group justify="space-between" align="flex-start" mb="lg">
        <div>
          <Group gap="sm">
            <Title order={2}>{own.title}</Title>
            <State of={own} />
          </Group>
          <Group gap="sm" mt={4}>
            <Text size="sm" c="dimmed">
              <Code>{own.name}</Code> version {own.number}
            </Text>
            <GateState of={own} />
          </Group>
        </div>
        {writes && <Actions team={team} own={own} />}
      </Group>
      {own.published && <RejudgeNotice of={{ teamId: team.id, id: own.id }} />}
      <VersionEditor teamId={team.id} own={own} writes={writes} />
      <Problems title="Fix before you run the gate" of={own.findings.filter(each => each.blocks)} />
      <Problems
        title="Still missing"
        note={describeMissing(own.findings.some(each => each.blocks))}
        of={own.findings.filter(each => !each.blocks)}
      />
      <section className={css.part}>
        <Title order={2} fz="1.3rem" mb="sm">
          The gate
        </Title>
        <GateReport own={own} />
      </section>
    </>
  )
}

/** Problems that the service found when the files were saved. */
function Problems({ title, note, of }: { title: string; note?: string; of: TeamChallenge['findings'] }) {
  if (of.length === 0) return null
  return (
    <section className={css.part}>
      <Title order={2} fz="1.3rem" mb="xs">
        {title}
      </Title>
      {note && (
        <Text size="sm" c="dimmed" mb="xs">
          {note}
        </Text>
      )}
      <Findings of={of} />
    </section>
  )
}

function Actions({ team, own }: { team: Team; own: TeamChallenge }) {
  const action = useChallengeAction(team.id, own.id)
  const used =
    action.error instanceof ApiError && action.error.code === 'challenge_in_use' ? action.error : null
  const [asking, { open: ask, close }] = useDisclosure()
  const latest = own.state === 'published' && own.published?.number === own.number
  return (
    <div>
      <Group gap="xs" justify="flex-end">
        {own.gate !== 'passed' && !isGateRunning(own.gate) && (
          <Button
            loading={action.isPending}
            disabled={own.findings.some(each => each.blocks)}
            onClick={() => action.mutate('gate')}
          >
            Run the gate
          </Button>
        )}
        {own.gate === 'passed' && !latest && (
          <Button loading={action.isPending} onClick={() => action.mutate('publish')}>
            Publish to the team
          </Button>
        )}
        {own.gate === 'failed' && !latest && (
          <Button variant="default" disabled={action.isPending} onClick={ask}>
            Use unproven
          </Button>
        )}
        <Button
          variant="default"
          disabled={action.isPending}
          onClick={() => action.mutate(own.state === 'archived' ? 'restore' : 'archive')}
        >
          {own.state === 'archived' ? 'Restore' : 'Archive'}
        </Button>
      </Group>
      {used && (
        <InUseNotice
          teamId={team.id}
          refusal={used}
          busy={action.isPending}
          onClose={action.reset}
          onSend={() => action.mutate('archive anyway')}
        />
      )}
      {action.error && !used && <ErrorMessage error={action.error} />}
      <Dialog title="Use this version unproven?" opened={asking} onClose={close}>
        <Text size="sm">
          The gate has not passed this version, so its tests may accept wrong answers or reject right ones.
          The challenge is marked as unproven wherever your team chooses it. Candidates do not see the mark.
        </Text>
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button onClick={() => action.mutate('publish unproven', { onSettled: close })}>
            Publish unproven
          </Button>
        </Group>
      </Dialog>
    </div>
  )
}
