/** The result of a candidate for an item. */
import { formatDuration, formatPoints } from '@/shared/format/numbers'
import type { Item, Person } from './requests'

export const resultOfItem = (person: Person, item: Item) =>
  person.items.find(each => each.kind === item.kind && each.name === item.name)

/** What a candidate got for an item, and in what time. */
export function describeResult(person: Person, item: Item): string {
  const got = resultOfItem(person, item)
  if (!got) return 'got a different item'
  const points = `${got.to_review ? '–' : formatPoints(got.score)} / ${got.points}`
  if (got.seconds !== null) return `${points} in ${formatDuration(got.seconds)}`
  // A reviewer can give points for an item that was not opened.
  return got.score ? `${points}, not opened` : 'not opened'
}
