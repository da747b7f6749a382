/** What was sent for an item, the one that counts first. */
import type { Schemas } from '../api/client'
import type { Item } from './queries'

export type Card = Schemas['SubmissionCard']

const share = ({ score, max_score }: Card) => (max_score ? score / max_score : 0)

export const ofItem = (item: Item, sent: Card[]) => sent.filter(each => each.slug === item.name)

/** The best answer counts; of equals the first, as the service has it. */
export function counting(sent: Card[]): Card | undefined {
  const judged = sent.filter(each => each.kind === 'submit' && each.verdict && each.verdict !== 'JE')
  return judged.reduceRight<Card | undefined>((best, each) => {
    if (!best || share(each) > share(best)) return each
    return share(each) === share(best) && each.verdict === 'AC' && best.verdict !== 'AC' ? each : best
  }, undefined)
}
