import { AssessmentFrame } from '@/features/assessments'
import { atLeast } from '@/features/teams'
import { Builder } from './Builder'
import { ReadOnlyPlan } from './ReadOnlyPlan'

/** The plan of an assessment: authors edit it, reviewers read it. */
export function Component() {
  return (
    <AssessmentFrame>
      {(assessment, team) => {
        const author = atLeast(team, 'author')
        return author && assessment.state !== 'archived' ? (
          <Builder key={assessment.id} teamId={team.id} assessment={assessment} />
        ) : (
          <ReadOnlyPlan teamId={team.id} assessment={assessment} author={author} />
        )
      }}
    </AssessmentFrame>
  )
}
