import { expect, it } from 'vitest'
import { describeNext, describeUnlearnt } from './nextCards'

const NOW = new Date(2026, 10, 30, 12)
const AT = (day: number, hour: number) => new Date(2026, 11, day, hour).toISOString()
const today = { next_due_at: AT(7, 9), unlearnt: 1225, new_per_day: 10, waiting: 0 }

it('names tomorrow while new cards are left, even if the next review is later', () => {
  expect(describeNext(today, NOW)).toBe('Next: tomorrow, up to 10 new cards.')
  expect(describeNext({ ...today, next_due_at: null }, NOW)).toBe('Next: tomorrow, up to 10 new cards.')
  expect(describeNext({ ...today, unlearnt: 1 }, NOW)).toBe('Next: tomorrow, 1 new card.')
})

it('names the next review if it comes before, or if no new cards come', () => {
  const soon = new Date(NOW.getTime() + 9 * 60_000).toISOString()
  expect(describeNext({ ...today, next_due_at: soon }, NOW)).toBe('Next: in 9 minutes.')
  expect(describeNext({ ...today, new_per_day: 0 }, NOW)).toMatch(/^Next: on Monday/)
  expect(describeNext({ ...today, unlearnt: 0, next_due_at: null }, NOW)).toBe('Nothing is due.')
})

it('says how many new cards are left and how many come each day', () => {
  expect(describeUnlearnt(today)).toBe('1,225 new cards left, 10 a day.')
  expect(describeUnlearnt({ ...today, unlearnt: 1 })).toBe('1 new card left.')
  expect(describeUnlearnt({ ...today, new_per_day: 0 })).toBe(
    '1,225 new cards left, none a day: change this under Options.',
  )
  expect(describeUnlearnt({ ...today, unlearnt: 0 })).toBe('')
})
