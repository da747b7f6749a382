import { useParams } from 'react-router'
import { AssessmentFrame } from '@/features/assessments'
import { CandidateReport } from './CandidateReport'

export function Component() {
  const { participationId = '' } = useParams()
  return (
    <AssessmentFrame>
      {(assessment, team) => (
        <CandidateReport
          key={participationId}
          of={{ teamId: team.id, assessmentId: assessment.id, id: participationId }}
          team={team}
        />
      )}
    </AssessmentFrame>
  )
}
