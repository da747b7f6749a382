import { Anchor, Text } from '@mantine/core'
import { Link } from 'react-router'
import { AssessmentFrame } from '@/features/assessments'
import { Preview } from './Preview'

/** The assessment as a candidate would see it. */
export function Component() {
  return (
    <AssessmentFrame>
      {(assessment, team) =>
        assessment.plan ? (
          <Preview teamId={team.id} assessmentId={assessment.id} plan={assessment.plan} />
        ) : (
          <Text c="dimmed">
            There is nothing to preview yet.{' '}
            <Anchor component={Link} inherit to={`/teams/${team.id}/assessments/${assessment.id}`}>
              Save a plan
            </Anchor>{' '}
            first.
          </Text>
        )
      }
    </AssessmentFrame>
  )
}
