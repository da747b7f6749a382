export { SubmissionHistory } from './SubmissionHistory'
export { useSharedVote } from './useSharedVote'
