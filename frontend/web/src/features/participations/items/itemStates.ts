/** Labels and signs for the state of an item. */

import { pluralize } from '@/shared/format/numbers'
import { VERDICTS } from '@/shared/verdicts'
import type { ItemCard, Participation, Section } from '../requests'

export interface State {
  sign: string
  word: string
  kind: 'none' | 'open' | 'sent' | 'good' | 'bad'
}

const points = (value: number) => `${Math.round(10 * value) / 10}`

const SENT = {
  challenge: () => 'submitted',
  quiz: (item: ItemCard) => `${item.sent} answered`,
  question: () => 'answered',
}

type Visibility = Pick<Participation, 'verdicts' | 'finished_at'>

/** Whether candidates do not see verdicts, until the end or for good. */
export const hidesVerdicts = ({ verdicts, finished_at }: Visibility): boolean =>
  verdicts === 'never' || (verdicts === 'after' && finished_at === null)

export function stateOf(item: ItemCard, found: Visibility): State {
  if (!item.sent) {
    if (item.handed_in_at) return { sign: '•', word: 'handed in', kind: 'sent' }
    if (!item.opened_at) return { sign: '', word: 'not opened', kind: 'none' }
    return { sign: '·', word: item.kind === 'challenge' ? 'not submitted' : 'no answer yet', kind: 'open' }
  }
  // While verdicts are hidden, waiting for one is of no use, so the item counts as submitted at once.
  if (item.unfinished && !hidesVerdicts(found)) return { sign: '…', word: 'being judged', kind: 'sent' }
  if (item.awaits_review) return { sign: '…', word: 'waiting for review', kind: 'sent' }
  const sent = item.handed_in_at ? 'handed in' : SENT[item.kind](item)
  if (item.score === null && item.verdict)
    return item.verdict === 'AC'
      ? { sign: '✓', word: 'accepted', kind: 'good' }
      : { sign: '✗', word: VERDICTS[item.verdict].name.toLowerCase(), kind: 'bad' }
  if (item.score === null) return { sign: '•', word: sent, kind: 'sent' }
  const came = `${points(item.score)} of ${pluralize(item.points, 'point')}`
  if (item.kind !== 'challenge') return { sign: '•', word: `${sent}, ${came}`, kind: 'sent' }
  if (item.verdict === 'AC') return { sign: '✓', word: `accepted, ${came}`, kind: 'good' }
  const name = item.verdict ? VERDICTS[item.verdict].name.toLowerCase() : 'judged'
  return { sign: '✗', word: `${name}, ${came}`, kind: 'bad' }
}

export const itemsOf = (found: Participation): ItemCard[] => found.sections.flatMap(section => section.items)

export const sectionOf = (found: Participation, position: number): Section | undefined =>
  found.sections.find(section => section.items.some(item => item.position === position))

/** Whether opening an item of this section starts the section's own time. */
export const isUnopenedTimedSection = (section: Section | undefined): boolean =>
  Boolean(section?.minutes) && section?.opened_at === null
