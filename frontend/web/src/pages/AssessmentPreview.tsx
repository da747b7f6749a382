import { Anchor, Text } from '@mantine/core'
import { Link } from 'react-router'
import { Preview } from '../builder/Preview'
import { AssessmentFrame } from '../team/AssessmentFrame'

/** The assessment as a candidate would get it. */
export function Component() {
  return (
    <AssessmentFrame>
      {(assessment, team) =>
        assessment.plan ? (
          <Preview teamId={team.id} assessmentId={assessment.id} plan={assessment.plan} />
        ) : (
          <Text c="dimmed">
            There is nothing to look at yet.{' '}
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
