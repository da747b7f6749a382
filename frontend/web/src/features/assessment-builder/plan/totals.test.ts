import { describe, expect, it } from 'vitest'
import type { AvailableItem, AvailableItems } from './availableItems'
import { EMPTY, type Item, type Section } from './form'
import { describeTimeLimit, formatPointsRange, formatRange, sectionTotals, totalsOf } from './totals'

const thing = (name: string, minutes: number): [string, AvailableItem] => [
  `challenge:${name}`,
  { choice: { kind: 'challenge', name }, minutes } as AvailableItem,
]
const THINGS: AvailableItems = new Map([thing('short', 10), thing('long', 40), thing('middle', 20)])
const item = (points: number, ...names: string[]): Item => ({
  key: names.join('-'),
  points,
  follow_up_points: [],
  feedback: 'everything',
  submissions: null,
  pause_s: null,
  choices: names.map(name => ({ kind: 'challenge', name, variants: false, follow_ups: [], question: null })),
})
const section = (draw: number | null, ...items: Item[]): Section => ({
  key: 'a',
  title: 'A',
  minutes: null,
  draw,
  assistant: 'none',
  items,
})

describe('what a plan comes to', () => {
  it('is one figure where nothing is drawn and nothing is an alternative', () => {
    const all = sectionTotals(section(null, item(10, 'short'), item(30, 'long')), THINGS)
    expect(all).toEqual({ items: 2, points: { least: 40, most: 40 }, minutes: { least: 50, most: 50 } })
  })

  it('counts follow-ups as items', () => {
    const base: Item = {
      ...item(10, 'short'),
      follow_up_points: [5],
      choices: [{ kind: 'challenge', name: 'short', variants: false, follow_ups: ['long'], question: null }],
    }
    const all = sectionTotals(section(null, base), THINGS)
    expect(all).toEqual({ items: 2, points: { least: 15, most: 15 }, minutes: { least: 50, most: 50 } })
  })

  it('is a range over what may be drawn', () => {
    const pool = sectionTotals(section(1, item(10, 'short'), item(30, 'long'), item(20, 'middle')), THINGS)
    expect(pool).toEqual({ items: 1, points: { least: 10, most: 30 }, minutes: { least: 10, most: 40 } })
  })

  it('is a range of minutes over alternatives', () => {
    const either = sectionTotals(section(null, item(10, 'short', 'long')), THINGS)
    expect(either.minutes).toEqual({ least: 10, most: 40 })
  })

  it('does not draw more than there is, and knows nothing of what has gone', () => {
    expect(sectionTotals(section(5, item(10, 'short')), THINGS).items).toBe(1)
    expect(sectionTotals(section(null, item(10, 'gone')), THINGS).minutes).toEqual({ least: 0, most: 0 })
    expect(sectionTotals(section(null, item(10, 'short')), null).minutes).toEqual({ least: 0, most: 0 })
  })

  it('adds sections up, and an empty plan comes to nothing', () => {
    const form = {
      ...EMPTY,
      sections: [section(1, item(10, 'short'), item(30, 'long')), section(null, item(5, 'middle'))],
    }
    expect(totalsOf(form, THINGS).points).toEqual({ least: 15, most: 35 })
    expect(totalsOf(EMPTY, THINGS)).toEqual({
      items: 0,
      points: { least: 0, most: 0 },
      minutes: { least: 0, most: 0 },
    })
  })

  it('is told in words', () => {
    expect(formatRange({ least: 3, most: 3 })).toBe('3')
    expect(formatRange({ least: 3, most: 5 })).toBe('3 to 5')
    expect(formatPointsRange({ least: 1, most: 1 })).toBe('1 point')
    expect(formatPointsRange({ least: 1, most: 2 })).toBe('1 to 2 points')
  })

  it('warns that the expected time is, or only can be, more than the limit', () => {
    expect(describeTimeLimit({ least: 94, most: 110 }, 110)).toBe('Time limit: 110 minutes')
    expect(describeTimeLimit({ least: 94, most: 124 }, 110)).toContain('can be more than the time limit')
    expect(describeTimeLimit({ least: 111, most: 124 }, 110)).toContain('is more than the time limit')
  })
})
