import { Container, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link, useParams } from 'react-router'
import type { Schemas } from '../api/client'
import { useMe } from '../api/queries'
import { team as asked } from '../api/teams'
import { Loaded } from '../parts/States'
import { useTitle } from '../parts/title'
import { SignInFirst } from './SignInFirst'
import { Tabs } from './Tabs'

const ROLES = { reviewer: 0, author: 1, owner: 2 }

export type Team = Schemas['TeamView']

/** Whether somebody's role in a team is enough for something. */
export const atLeast = (team: Team, role: Team['role']): boolean => ROLES[team.role] >= ROLES[role]

interface Props {
  children: (team: Team) => ReactNode
}

/** A team's page: its name, the way back to all teams, and its parts. */
export function TeamFrame({ children }: Props) {
  const { teamId = '' } = useParams()
  const account = useMe()
  const query = useQuery({ ...asked(teamId), enabled: account !== null })
  useTitle(query.data?.name ?? 'Team')
  if (!account || account.role === 'guest') return <SignInFirst title="Team" />
  const at = `/teams/${teamId}`
  return (
    <Container size="lg" py="xl">
      <Loaded page query={query}>
        {team => (
          <>
            <Link to="/teams">Teams</Link>
            <Title order={1}>{team.name}</Title>
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
    </Container>
  )
}
