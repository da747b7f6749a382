export { AnswerInWords } from './AnswerInWords'
