import { describe, expect, it } from 'vitest'
import { challengeOfTheDay } from './daily'

const some = (count: number) => Array.from({ length: count }, (_, index) => ({ slug: `c${index}` }))
const day = (number: number) => new Date(number * 24 * 3600 * 1000)

describe('the challenge of the day', () => {
  it('gives each challenge one day in as many days as there are challenges', () => {
    for (const count of [1, 2, 6, 183, 184]) {
      const days = Array.from({ length: count }, (_, index) =>
        challengeOfTheDay(some(count), day(20_000 + index)),
      )
      expect(new Set(days.map(each => each?.slug)).size).toBe(count)
    }
  })

  it('lasts from midnight to midnight in UTC, whatever the order of the list', () => {
    const all = some(50)
    const first = challengeOfTheDay(all, new Date('2026-11-27T00:00:00Z'))
    expect(challengeOfTheDay(all.toReversed(), new Date('2026-11-27T23:59:59Z'))).toEqual(first)
    expect(challengeOfTheDay(all, new Date('2026-11-28T00:00:00Z'))).not.toEqual(first)
  })

  it('is nothing without challenges', () => {
    expect(challengeOfTheDay([], day(1))).toBeUndefined()
  })
})
