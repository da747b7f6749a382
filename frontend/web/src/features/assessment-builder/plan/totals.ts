/** Totals of a plan, for the candidate with the smallest draw and the one with the largest. */

import { pluralize } from '@/shared/format/numbers'
import type { AvailableItems } from './availableItems'
import { type Choice, type Form, type Item, nameOf, type Section } from './form'
import { minutesOfQuestion } from './questions'

export interface Range {
  least: number
  most: number
}

export interface Totals {
  items: number
  points: Range
  minutes: Range
}

const NOTHING: Totals = { items: 0, points: { least: 0, most: 0 }, minutes: { least: 0, most: 0 } }

export const totalsOf = (form: Form, things: AvailableItems | null): Totals =>
  form.sections.map(each => sectionTotals(each, things)).reduce(plus, NOTHING)

export function sectionTotals(section: Section, things: AvailableItems | null): Totals {
  const items = Math.min(section.draw ?? section.items.length, section.items.length)
  const followUps = section.items.map(({ follow_up_points: { length } }) => ({ least: length, most: length }))
  return {
    items: items + drawn(followUps, items).most,
    points: drawn(
      section.items.map(each => {
        const points = each.points + sum(each.follow_up_points)
        return { least: points, most: points }
      }),
      items,
    ),
    minutes: drawn(
      section.items.map(each => minutesOf(each, things)),
      items,
    ),
  }
}

/** A range as text: one number if both ends are equal. */
export const formatRange = ({ least, most }: Range): string =>
  least === most ? `${most}` : `${least} to ${most}`

export const formatPointsRange = (range: Range): string =>
  `${formatRange(range)} ${range.most === 1 ? 'point' : 'points'}`

/** The time limit in words, with a warning if the expected time of some or all candidates is longer. */
export function describeTimeLimit(expected: Range, limit: number): string {
  if (expected.most <= limit) return `Time limit: ${pluralize(limit, 'minute')}`
  const is = expected.least > limit ? 'is' : 'can be'
  return `The expected time ${is} more than the time limit of ${pluralize(limit, 'minute')}. This is fine if you do not expect everyone to finish.`
}

/** The smallest and the largest sum of `count` of the ranges. */
function drawn(ranges: Range[], count: number): Range {
  const least = ranges.map(each => each.least).sort((a, b) => a - b)
  const most = ranges.map(each => each.most).sort((a, b) => b - a)
  return { least: sum(least.slice(0, count)), most: sum(most.slice(0, count)) }
}

function minutesOf(item: Item, things: AvailableItems | null): Range {
  const minutes = (name: string) => things?.get(name)?.minutes ?? 0
  const each = item.choices.map(
    (choice: Choice) =>
      (choice.question ? minutesOfQuestion(choice.question) : minutes(nameOf(choice))) +
      sum(choice.follow_ups.map(name => minutes(`challenge:${name}`))),
  )
  return each.length > 0 ? { least: Math.min(...each), most: Math.max(...each) } : NOTHING.minutes
}

const sum = (all: number[]): number => all.reduce((a, b) => a + b, 0)

const plus = (a: Totals, b: Totals): Totals => ({
  items: a.items + b.items,
  points: { least: a.points.least + b.points.least, most: a.points.most + b.points.most },
  minutes: { least: a.minutes.least + b.minutes.least, most: a.minutes.most + b.minutes.most },
})
