export { CandidateFrame, CandidateMessage } from './CandidateFrame'
export { formatClock, syncClock, useSecondsLeft } from './clock'
export { RECORDED_SENTENCES } from './start/recordedSentences'
