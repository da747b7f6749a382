import { AssessmentFrame } from '../team/AssessmentFrame'

export function Component() {
  return <AssessmentFrame>{() => null}</AssessmentFrame>
}
