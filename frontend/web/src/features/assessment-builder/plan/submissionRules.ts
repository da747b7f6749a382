/** The rules of an item in a plan: what candidates see of a result, how often they can submit, and how soon again. */
import { pluralize } from '@/shared/format/numbers'
import type { Item } from './form'

export type Feedback = Item['feedback']

interface Option {
  value: Feedback
  label: string
  /** The sentence about it, as in «candidates see only the verdict». */
  words: string
}

const OF_CHALLENGE: Option[] = [
  { value: 'everything', label: 'Everything', words: 'candidates see everything' },
  { value: 'names', label: 'Names of the tests', words: 'candidates see names of the tests' },
  { value: 'verdict', label: 'Only the verdict', words: 'candidates see only the verdict' },
]
const OF_QUESTION: Option[] = [
  { value: 'everything', label: 'Right answer, reasons and points', words: 'candidates see everything' },
  {
    value: 'names',
    label: 'Whether they are right, and points',
    words: 'candidates see whether they are right, and points',
  },
  {
    value: 'verdict',
    label: 'Only whether they are right',
    words: 'candidates see only whether they are right',
  },
]
const OF_TEXT: Option[] = [
  { value: 'everything', label: 'The points', words: 'candidates see the points' },
  { value: 'verdict', label: 'Nothing', words: 'candidates do not see the points' },
]

/** What candidates can see of an item's result. Quizzes have no choice: they always show everything. */
export function feedbackOptions({ choices }: Pick<Item, 'choices'>): Option[] {
  if (choices.some(each => each.kind === 'challenge')) return OF_CHALLENGE
  const asked = choices.flatMap(each => each.question ?? [])
  if (asked.length === 0) return []
  return asked.every(each => each.answer.type === 'text') ? OF_TEXT : OF_QUESTION
}

/** The option that applies to an item. A text has no names of tests, so it shows everything then. */
export const feedbackOf = (item: Pick<Item, 'choices' | 'feedback'>): Feedback =>
  feedbackOptions(item).some(each => each.value === item.feedback) ? item.feedback : 'everything'

/** The rules that differ from the usual ones, in words; empty if none does. */
export function describeRules(item: Item): string {
  const { submissions, pause_s } = item
  const feedback = feedbackOf(item)
  return [
    feedback !== 'everything' && feedbackOptions(item).find(each => each.value === feedback)?.words,
    submissions !== null && `at most ${pluralize(submissions, 'submission')}`,
    pause_s !== null && submissions !== 1 && `${pluralize(pause_s, 'second')} between two submissions`,
  ]
    .filter(Boolean)
    .join(', ')
}
