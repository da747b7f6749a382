export { ChatMessage } from './assistant/ChatMessage'
export { CandidateFrame } from './CandidateFrame'
export { AssistantRules } from './start/Rules'
export { RECORDED_SENTENCES } from './start/recordedSentences'
