/** The rules of a challenge in a plan: what candidates see of a result, how often they can submit, and how soon again. */
import { pluralize } from '@/shared/format/numbers'
import type { Item } from './form'

export type Feedback = Item['feedback']

export const FEEDBACK: Record<Feedback, string> = {
  everything: 'Everything',
  names: 'Names of the tests',
  verdict: 'Only the verdict',
}

/** The rules that differ from the usual ones, in words; empty if none does. */
export function describeRules({ feedback, submissions, pause_s }: Item): string {
  return [
    feedback !== 'everything' && `candidates see ${FEEDBACK[feedback].toLowerCase()}`,
    submissions !== null && `at most ${pluralize(submissions, 'submission')}`,
    pause_s !== null && `${pluralize(pause_s, 'second')} between two submissions`,
  ]
    .filter(Boolean)
    .join(', ')
}
