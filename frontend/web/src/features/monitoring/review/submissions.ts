/** Submissions for an item, with the one that counts first. */
import type { Schemas } from '@/api/client'
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
