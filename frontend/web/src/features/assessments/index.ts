export { type Assessment, AssessmentFrame } from './AssessmentFrame'
