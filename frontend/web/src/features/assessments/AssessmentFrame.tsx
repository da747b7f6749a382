import { Anchor, Group, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link, useParams } from 'react-router'
import type { Schemas } from '@/api/client'
import { assessment as assessmentQuery, team as teamQuery } from '@/api/teams'
import type { Team } from '@/features/teams'
import { useTitle } from '@/shared/hooks/useTitle'
import { MembersOnly } from '@/shared/pages/MembersOnly'
import { PageTabs } from '@/shared/ui/PageTabs'
import { Loaded } from '@/shared/ui/QueryStates'
import { StateChip } from './StateChip'

export type Assessment = Schemas['AssessmentView']

interface Props {
  children: (assessment: Assessment, team: Team) => ReactNode
  /** Shown to the right of the heading. */
  actions?: (assessment: Assessment, team: Team) => ReactNode
}

/** The layout of an assessment's pages: name, state, a link back to the team, and tabs. */
export function AssessmentFrame(props: Props) {
  return <MembersOnly title="Assessment">{() => <Framed {...props} />}</MembersOnly>
}

function Framed({ children, actions }: Props) {
  const { teamId = '', assessmentId = '' } = useParams()
  const team = useQuery(teamQuery(teamId))
  const query = useQuery(assessmentQuery(teamId, assessmentId))
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
              <PageTabs
                label="Assessment pages"
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
