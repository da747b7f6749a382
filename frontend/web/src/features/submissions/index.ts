export { LazySubmissionHistory } from './LazySubmissionHistory'
export { useSharedVote } from './useSharedVote'
