/** Submissions for an item, with the one that counts first. */
import type { Schemas } from '@/api/client'
import { formatPoints } from '@/shared/format/numbers'
import { VERDICTS } from '@/shared/verdicts'
import { formatClockTime } from '../labels'
import type { Item } from '../requests'

export type Card = Schemas['SubmissionCard']

const share = ({ score, max_score }: Card) => (max_score ? score / max_score : 0)

export const submissionsOfItem = (item: Pick<Item, 'name'>, sent: Card[]) =>
  sent.filter(each => each.slug === item.name)

/** The best submission counts; among equals the first, as in the service. */
export function countingFirst(sent: Card[]): Card | undefined {
  const judged = sent.filter(each => each.kind === 'submit' && each.verdict && each.verdict !== 'JE')
  return judged.reduceRight<Card | undefined>((best, each) => {
    if (!best || share(each) > share(best)) return each
    return share(each) === share(best) && each.verdict === 'AC' && best.verdict !== 'AC' ? each : best
  }, undefined)
}

const KINDS = { run: 'samples only', scratch: 'snippet', compare: 'own input' } as const

/** A submission in a list: when it was sent, how it did, and the points of the item that it is worth. */
export function nameOfAnswer(card: Card, { points }: Pick<Item, 'points'>, counts: boolean): string {
  const came = card.verdict ? VERDICTS[card.verdict].name : card.status
  const worth = `${formatPoints(points * share(card))} of ${points} points`
  const kind = card.kind !== 'submit' ? KINDS[card.kind] : card.verdict ? worth : ''
  const parts = [formatClockTime(card.created_at), came, kind, counts && 'this answer counts']
  return parts.filter(Boolean).join(' · ')
}
