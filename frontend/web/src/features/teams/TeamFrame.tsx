import { Anchor, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link, useParams } from 'react-router'
import type { Schemas } from '@/api/client'
import { team as teamQuery } from '@/api/teams'
import { useTitle } from '@/shared/hooks/useTitle'
import { MembersOnly } from '@/shared/pages/MembersOnly'
import { PageTabs } from '@/shared/ui/PageTabs'
import { Loaded } from '@/shared/ui/QueryStates'

const RANKS = { reviewer: 0, author: 1, owner: 2 }

export type Team = Schemas['TeamView']

/** Whether the user's role in a team is at least `role`. */
export const atLeast = (team: Team, role: Team['role']): boolean => RANKS[team.role] >= RANKS[role]

interface Props {
  children: (team: Team) => ReactNode
}

/** The layout of a team's pages: name, a link back to all teams, and tabs. */
export function TeamFrame({ children }: Props) {
  return <MembersOnly title="Team">{() => <Framed>{children}</Framed>}</MembersOnly>
}

function Framed({ children }: Props) {
  const { teamId = '' } = useParams()
  const query = useQuery(teamQuery(teamId))
  useTitle(query.data?.name ?? 'Team')
  const at = `/teams/${teamId}`
  return (
    <Loaded page query={query}>
      {team => (
        <>
          <Anchor component={Link} to="/teams" size="sm">
            All teams
          </Anchor>
          <Title order={1} style={{ overflowWrap: 'anywhere' }}>
            {team.name}
          </Title>
          <PageTabs
            label="Team pages"
            tabs={[
              [at, 'Assessments'],
              [`${at}/rooms`, 'Live interviews'],
              [`${at}/challenges`, 'Challenges'],
              [`${at}/members`, 'Members'],
              [`${at}/connections`, 'Connections'],
              [`${at}/leaderboard`, 'Leaderboard'],
              [`${at}/activity`, 'Activity'],
            ]}
          />
          {children(team)}
        </>
      )}
    </Loaded>
  )
}
