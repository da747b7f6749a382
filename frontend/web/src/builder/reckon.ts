/** What a plan comes to, for the candidate who gets least and the one who gets most. */
import { type Choice, type Form, type Item, nameOf, type Section } from './form'
import type { Things } from './things'

export interface Range {
  least: number
  most: number
}

export interface Reckoned {
  items: number
  points: Range
  minutes: Range
}

const NOTHING: Reckoned = { items: 0, points: { least: 0, most: 0 }, minutes: { least: 0, most: 0 } }

export const reckon = (form: Form, things: Things | null): Reckoned =>
  form.sections.map(each => reckonSection(each, things)).reduce(plus, NOTHING)

export function reckonSection(section: Section, things: Things | null): Reckoned {
  const items = Math.min(section.draw ?? section.items.length, section.items.length)
  return {
    items,
    points: drawn(
      section.items.map(each => ({ least: each.points, most: each.points })),
      items,
    ),
    minutes: drawn(
      section.items.map(each => minutesOf(each, things)),
      items,
    ),
  }
}

/** A range in words: one figure if it is one. */
export const told = ({ least, most }: Range): string => (least === most ? `${most}` : `${least} to ${most}`)

export const pointsTold = (range: Range): string => `${told(range)} ${range.most === 1 ? 'point' : 'points'}`

/** The smallest and the largest sum of so many. */
function drawn(ranges: Range[], count: number): Range {
  const least = ranges.map(each => each.least).sort((a, b) => a - b)
  const most = ranges.map(each => each.most).sort((a, b) => b - a)
  return { least: sum(least.slice(0, count)), most: sum(most.slice(0, count)) }
}

function minutesOf(item: Item, things: Things | null): Range {
  const each = item.choices.map((choice: Choice) => things?.get(nameOf(choice))?.minutes ?? 0)
  return each.length > 0 ? { least: Math.min(...each), most: Math.max(...each) } : NOTHING.minutes
}

const sum = (all: number[]): number => all.reduce((a, b) => a + b, 0)

const plus = (a: Reckoned, b: Reckoned): Reckoned => ({
  items: a.items + b.items,
  points: { least: a.points.least + b.points.least, most: a.points.most + b.points.most },
  minutes: { least: a.minutes.least + b.minutes.least, most: a.minutes.most + b.minutes.most },
})
