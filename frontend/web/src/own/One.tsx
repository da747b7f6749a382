import { Anchor, Button, Code, Group, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import { Broken, Loaded } from '../parts/States'
import { useTitle } from '../parts/title'
import { atLeast, type Team } from '../team/TeamFrame'
import { type Own, ownChallenge, underWay, useDeed } from './data'
import { Findings, GateReport } from './GateReport'
import { RejudgeNotice } from './Notices'
import css from './Own.module.css'
import { Work } from './Work'
import { GateState, State } from './words'

/** A challenge of the team's: its files, what is to be mended, and what the gate found. */
export function One({ team }: { team: Team }) {
  const { challengeId = '' } = useParams()
  const query = useQuery(ownChallenge(team.id, challengeId))
  useTitle(query.data?.title ?? 'Challenge')
  return <Loaded query={query}>{own => <Shown team={team} own={own} />}</Loaded>
}

function Shown({ team, own }: { team: Team; own: Own }) {
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
        {writes && <Deeds team={team} own={own} />}
      </Group>
      {own.published && <RejudgeNotice of={{ teamId: team.id, id: own.id }} />}
      <Work teamId={team.id} own={own} writes={writes} />
      {own.findings.length > 0 && (
        <section className={css.part}>
          <Title order={2} fz="1.3rem" mb="xs">
            To mend
          </Title>
          <Findings of={own.findings} />
        </section>
      )}
      <section className={css.part}>
        <Title order={2} fz="1.3rem" mb="sm">
          The gate
        </Title>
        <GateReport own={own} />
      </section>
    </>
  )
}

function Deeds({ team, own }: { team: Team; own: Own }) {
  const deed = useDeed(team.id, own.id)
  const latest = own.state === 'published' && own.published?.number === own.number
  return (
    <div>
      <Group gap="xs" justify="flex-end">
        {own.gate !== 'passed' && !underWay(own.gate) && (
          <Button
            loading={deed.isPending}
            disabled={own.findings.length > 0}
            onClick={() => deed.mutate('gate')}
          >
            Ask the gate
          </Button>
        )}
        {own.gate === 'passed' && !latest && (
          <Button loading={deed.isPending} onClick={() => deed.mutate('publish')}>
            Publish to the team
          </Button>
        )}
        <Button
          variant="default"
          disabled={deed.isPending}
          onClick={() => deed.mutate(own.state === 'archived' ? 'restore' : 'archive')}
        >
          {own.state === 'archived' ? 'Restore' : 'Archive'}
        </Button>
      </Group>
      {deed.error && <Broken error={deed.error} />}
    </div>
  )
}
