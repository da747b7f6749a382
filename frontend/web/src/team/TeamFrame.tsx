import { Anchor, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link, useParams } from 'react-router'
import type { Schemas } from '../api/client'
import { team as asked } from '../api/teams'
import { Loaded } from '../parts/States'
import { useTitle } from '../parts/title'
import { MembersOnly } from './MembersOnly'
import { Tabs } from './Tabs'

const RANKS = { reviewer: 0, author: 1, owner: 2 }

export type Team = Schemas['TeamView']

/** Whether somebody's role in a team is enough for something. */
export const atLeast = (team: Team, role: Team['role']): boolean => RANKS[team.role] >= RANKS[role]

interface Props {
  children: (team: Team) => ReactNode
}

/** A team's page: its name, the way back to all teams, and its parts. */
export function TeamFrame({ children }: Props) {
  return <MembersOnly title="Team">{() => <Framed>{children}</Framed>}</MembersOnly>
}

function Framed({ children }: Props) {
  const { teamId = '' } = useParams()
  const query = useQuery(asked(teamId))
  useTitle(query.data?.name ?? 'Team')
  const at = `/teams/${teamId}`
  return (
    <Loaded page query={query}>
      {team => (
        <>
          <Anchor component={Link} to="/teams" size="sm">
            Teams
          </Anchor>
          <Title order={1} style={{ overflowWrap: 'anywhere' }}>
            {team.name}
          </Title>
          <Tabs
            label="Parts of the team"
            tabs={[
              [at, 'Assessments'],
              [`${at}/challenges`, 'Challenges'],
              [`${at}/members`, 'Members'],
              [`${at}/connections`, 'Connections'],
            ]}
          />
          {children(team)}
        </>
      )}
    </Loaded>
  )
}
