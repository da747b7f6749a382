export { ChatMessage } from './assistant/ChatMessage'
export { AssistantRules } from './start/Rules'
export { RECORDED_SENTENCES } from './start/recordedSentences'
