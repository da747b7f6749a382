import { expect, test } from 'vitest'
import { describeResult } from './itemResults'
import type { Item, Person } from './requests'

const item = { kind: 'challenge', name: 'add-one' } as Item
const person = (got: object) =>
  ({ items: [{ ...item, points: 10, to_review: 0, ...got }] }) as unknown as Person

test('a result says whether the item was opened', () => {
  expect(describeResult(person({ score: 5, seconds: 60 }), item)).toBe('5 / 10 in 1 min 0 s')
  expect(describeResult(person({ score: 0, seconds: null }), item)).toBe('not opened')
  expect(describeResult(person({ score: 3, seconds: null }), item)).toBe('3 / 10, not opened')
  expect(describeResult(person({ score: 0, seconds: 60, to_review: 10 }), item)).toBe('– / 10 in 1 min 0 s')
  expect(describeResult(person({ name: 'other' }), item)).toBe('got a different item')
})
