import { Anchor, Group, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link, useParams } from 'react-router'
import type { Schemas } from '../api/client'
import { assessment as asked, team as askedTeam } from '../api/teams'
import { Loaded } from '../parts/States'
import { useTitle } from '../parts/title'
import { MembersOnly } from './MembersOnly'
import { StateChip } from './StateChip'
import { Tabs } from './Tabs'
import type { Team } from './TeamFrame'

export type Assessment = Schemas['AssessmentView']

interface Props {
  children: (assessment: Assessment, team: Team) => ReactNode
  /** What stands at the right of the heading. */
  actions?: (assessment: Assessment, team: Team) => ReactNode
}

/** A page of an assessment: its name and state, the way back to its team, and its parts. */
export function AssessmentFrame(props: Props) {
  return <MembersOnly title="Assessment">{() => <Framed {...props} />}</MembersOnly>
}

function Framed({ children, actions }: Props) {
  const { teamId = '', assessmentId = '' } = useParams()
  const team = useQuery(askedTeam(teamId))
  const query = useQuery(asked(teamId, assessmentId))
  useTitle(query.data?.name ?? 'Assessment')
  const at = `/teams/${teamId}/assessments/${assessmentId}`
  return (
    <Loaded page query={team}>
      {team => (
        <Loaded page query={query}>
          {found => (
            <>
              <Anchor component={Link} to={`/teams/${teamId}`} size="sm">
                {team.name}
              </Anchor>
              <Group justify="space-between" align="flex-start">
                <Group gap="sm" align="center">
                  <Title order={1} style={{ overflowWrap: 'anywhere' }}>
                    {found.name}
                  </Title>
                  <StateChip state={found.state} />
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
  )
}
