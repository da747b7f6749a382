import { useParams } from 'react-router'
import { AssessmentFrame } from '../team/AssessmentFrame'
import { Report } from '../watching/Report'

/** The report of one candidate. */
export function Component() {
  const { participationId = '' } = useParams()
  return (
    <AssessmentFrame>
      {(assessment, team) => (
        <Report
          key={participationId}
          of={{ teamId: team.id, assessmentId: assessment.id, id: participationId }}
          team={team}
        />
      )}
    </AssessmentFrame>
  )
}
