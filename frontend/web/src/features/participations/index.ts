export { RECORDED_SENTENCES } from './start/recordedSentences'
