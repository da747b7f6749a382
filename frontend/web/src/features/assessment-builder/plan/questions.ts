/** The questions that a team writes itself: new ones, their problems, and the items that they can be about. Pure functions. */
import type { Schemas } from '@/api/client'
import { type Choice, type Form, type Item, nextKey } from './form'
import { type Option, type Question, toQuestion } from './questionFields'

/** A question in its dialog. Its numbers can be empty. */
export type Draft = Omit<Question, 'answer'> & { answer: DraftAnswer }
export type DraftAnswer =
  | { type: 'choice'; options: Option[] }
  | { type: 'number'; value: number | ''; tolerance: number | '' }
  | { type: 'text'; max_length: number; guide: string }
export type AnswerType = DraftAnswer['type']

export const QUESTION_LIMITS = { options: 10, characters: 10_000, title: 120, prompt: 20_000, option: 500 }
export const QUESTION_POINTS = 5
/** Estimated minutes for an answer. */
const MINUTES: Record<AnswerType, number> = { choice: 2, number: 3, text: 8 }
export const ANSWER_TYPES: Record<AnswerType, string> = {
  choice: 'Options',
  number: 'Number',
  text: 'Text',
}
const ABOUT: Record<AnswerType, string> = {
  choice: 'question with options',
  number: 'question about a number',
  text: 'written question, graded by reviewers',
}

const emptyOption = (): Option => ({ text: '', right: false, reason: '' })

export const emptyAnswer = (type: AnswerType): DraftAnswer => {
  if (type === 'choice') return { type, options: [{ ...emptyOption(), right: true }, emptyOption()] }
  if (type === 'number') return { type, value: '', tolerance: 0 }
  return { type, max_length: 4000, guide: '' }
}

export const EMPTY_QUESTION: Draft = {
  title: '',
  prompt: '',
  answer: emptyAnswer('choice'),
  about: null,
}

/** The question as its dialog edits it. */
export const toDraft = (question: Schemas['TeamQuestion']): Draft => toQuestion(question) as Draft

export const describeQuestion = (question: Schemas['TeamQuestion']): string => ABOUT[question.answer.type]

export const minutesOfQuestion = (question: Schemas['TeamQuestion']): number => MINUTES[question.answer.type]

/** A new choice whose name no other question of the plan has. */
export function choiceOf(form: Form, question: Draft): Choice {
  const taken = form.sections.flatMap(section =>
    section.items.flatMap(item =>
      item.choices.filter(each => each.kind === 'question').map(each => each.name),
    ),
  )
  return {
    kind: 'question',
    name: nextKey(question.title, taken),
    variants: false,
    follow_ups: [],
    question: fromDraft(question),
  }
}

/** The question as the service takes it. Call it only for a question without problems. */
export const fromDraft = ({ title, prompt, answer, about }: Draft): Question => ({
  title,
  prompt,
  answer:
    answer.type === 'number'
      ? { type: 'number', value: Number(answer.value), tolerance: Number(answer.tolerance) }
      : answer,
  about,
})

export type QuestionErrors = Partial<Record<string, string>>

/** What is wrong with a question, by field; the text of the second option is `options.1`. */
export function questionErrors({ title, prompt, answer }: Draft): QuestionErrors {
  const found: QuestionErrors = {}
  if (!title.trim()) found.title = 'Give the question a title. Candidates see it in the list of items.'
  if (!prompt.trim()) found.prompt = 'Write the question.'
  if (answer.type === 'choice') {
    const texts = answer.options.map(each => each.text.trim())
    texts.forEach((text, at) => {
      if (!text) found[`options.${at}`] = 'Write the option, or remove it.'
      else if (texts.indexOf(text) < at) found[`options.${at}`] = 'This option is there twice.'
    })
    if (!answer.options.some(each => each.right)) found.options = 'Mark at least one option as right.'
  }
  if (answer.type === 'number') {
    if (answer.value === '') found.value = 'Enter the right number.'
    if (answer.tolerance === '' || answer.tolerance < 0) found.tolerance = 'Enter 0 or more.'
  }
  return found
}

/**
 * The items that a question can be about: those before it that are a challenge for every candidate. `key` is the key of the
 * question's item; a new question comes last in the section `section`.
 */
export function itemsBefore(form: Form, section: string, key?: string): Item[] {
  const found: Item[] = []
  for (const each of form.sections) {
    const isDrawn = each.draw === null || each.draw >= each.items.length
    for (const item of each.items) {
      if (item.key === key) return found
      if (isDrawn && item.choices.every(choice => choice.kind === 'challenge')) found.push(item)
    }
    if (each.key === section && key === undefined) return found
  }
  return found
}
