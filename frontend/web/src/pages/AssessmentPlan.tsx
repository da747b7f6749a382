import { Builder } from '../builder/Builder'
import { Reading } from '../builder/Reading'
import { AssessmentFrame } from '../team/AssessmentFrame'
import { atLeast } from '../team/TeamFrame'

/** The plan of an assessment: authors write it, reviewers read it. */
export function Component() {
  return (
    <AssessmentFrame>
      {(assessment, team) => {
        const author = atLeast(team, 'author')
        return author && assessment.state !== 'archived' ? (
          <Builder key={assessment.id} teamId={team.id} assessment={assessment} />
        ) : (
          <Reading teamId={team.id} assessment={assessment} author={author} />
        )
      }}
    </AssessmentFrame>
  )
}
