export { type EnteredAnswer, emptyAnswer, type QuestionView } from './enteredAnswer'
export { Form, Question } from './Question'
