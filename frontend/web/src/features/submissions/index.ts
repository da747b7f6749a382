export { SubmissionHistory } from './SubmissionHistory'
