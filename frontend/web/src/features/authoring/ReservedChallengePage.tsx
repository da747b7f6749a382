import { Alert, Tabs, Text, Title } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { api, type Schemas, unwrap } from '@/api/client'
import { workspaceStyles as css, Given, Limits, Samples } from '@/features/challenges'
import { TeamFrame } from '@/features/teams'
import { pluralize } from '@/shared/format/numbers'
import { useTitle } from '@/shared/hooks/useTitle'
import { Code, Markdown } from '@/shared/markdown/Markdown'
import { Difficulty } from '@/shared/ui/Difficulty'
import { Loaded } from '@/shared/ui/QueryStates'

const reservedChallenge = (teamId: string, slug: string) =>
  queryOptions({
    queryKey: ['team', teamId, 'reserved', slug],
    queryFn: () =>
      unwrap(
        api.GET('/api/teams/{team_id}/reserved-challenges/{slug}', {
          params: { path: { team_id: teamId, slug } },
        }),
      ),
  })

/** A challenge reserved for assessments, as candidates read it, for teams that choose challenges. */
export function Component() {
  return <TeamFrame>{team => <Reserved teamId={team.id} />}</TeamFrame>
}

function Reserved({ teamId }: { teamId: string }) {
  const { slug = '' } = useParams()
  const query = useQuery(reservedChallenge(teamId, slug))
  useTitle(query.data?.title ?? 'Challenge')
  return <Loaded query={query}>{found => <Read challenge={found} />}</Loaded>
}

function Read({ challenge: found }: { challenge: Schemas['ChallengeView'] }) {
  return (
    <div style={{ maxWidth: '48rem' }}>
      <Text size="sm" c="dimmed">
        {found.section}
      </Text>
      <Title order={2} style={{ overflowWrap: 'anywhere' }}>
        {found.title}
      </Title>
      <div className={css.facts}>
        <Difficulty level={found.difficulty} />
        <span>{found.form === 'fix' ? 'find and fix' : 'write code'}</span>
        <span>{found.minutes} min</span>
        <span>
          {pluralize(found.tests_count, 'test')}, {pluralize(found.points, 'point')}
        </span>
      </div>
      <Alert variant="light" mb="lg" title="For assessments only">
        <Text size="sm">
          This challenge is not in the public catalogue. In assessments that use it, candidates see it as
          shown below. Do not share it.
        </Text>
      </Alert>
      <Tabs defaultValue="statement" keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="statement">Statement</Tabs.Tab>
          {found.given && <Tabs.Tab value="given">given.py</Tabs.Tab>}
          <Tabs.Tab value="starter">Starter code</Tabs.Tab>
          <Tabs.Tab value="samples">Samples</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="statement">
          <Markdown source={found.statement} />
          <Limits challenge={found} />
        </Tabs.Panel>
        <Tabs.Panel value="given">
          <Given challenge={found} />
        </Tabs.Panel>
        <Tabs.Panel value="starter">
          <Code source={found.starter} />
        </Tabs.Panel>
        <Tabs.Panel value="samples">
          <Samples challenge={found} />
        </Tabs.Panel>
      </Tabs>
      <Text size="sm" c="dimmed" mt="xl">
        {found.skill} {found.why}
      </Text>
    </div>
  )
}
