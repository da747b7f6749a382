import { Badge, Container, Group, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link, useParams } from 'react-router'
import type { Schemas } from '../api/client'
import { useMe } from '../api/queries'
import { assessment as asked, team as askedTeam } from '../api/teams'
import { Loaded } from '../parts/States'
import { useTitle } from '../parts/title'
import { SignInFirst } from './SignInFirst'
import { Tabs } from './Tabs'
import type { Team } from './TeamFrame'

export type Assessment = Schemas['AssessmentView']

const STATES = {
  draft: ['Draft', 'gray'],
  open: ['Open', 'teal'],
  archived: ['Archived', 'gray'],
} as const

interface Props {
  children: (assessment: Assessment, team: Team) => ReactNode
  /** What stands at the right of the heading. */
  actions?: (assessment: Assessment, team: Team) => ReactNode
}

/** A page of an assessment: its name and state, the way back to its team, and its parts. */
export function AssessmentFrame({ children, actions }: Props) {
  const { teamId = '', assessmentId = '' } = useParams()
  const account = useMe()
  const team = useQuery({ ...askedTeam(teamId), enabled: account !== null })
  const query = useQuery({ ...asked(teamId, assessmentId), enabled: account !== null })
  useTitle(query.data?.name ?? 'Assessment')
  if (!account || account.role === 'guest') return <SignInFirst title="Assessment" />
  const at = `/teams/${teamId}/assessments/${assessmentId}`
  return (
    <Container size="lg" py="xl">
      <Loaded page query={team}>
        {team => (
          <Loaded page query={query}>
            {found => (
              <>
                <Link to={`/teams/${teamId}`}>{team.name}</Link>
                <Group justify="space-between" align="flex-start">
                  <Group gap="sm" align="center">
                    <Title order={1}>{found.name}</Title>
                    <Badge color={STATES[found.state][1]} variant="light">
                      {STATES[found.state][0]}
                    </Badge>
                  </Group>
                  {actions?.(found, team)}
                </Group>
                <Tabs
                  label="Parts of the assessment"
                  tabs={[
                    [at, 'Plan'],
                    [`${at}/preview`, 'Preview'],
                    [`${at}/invitations`, 'Invitations'],
                    [`${at}/live`, 'Live'],
                    [`${at}/results`, 'Results'],
                  ]}
                />
                {children(found, team)}
              </>
            )}
          </Loaded>
        )}
      </Loaded>
    </Container>
  )
}
