import { expect, test } from 'vitest'
import { describeAccepted } from './acceptedShare'

test('a share of accepted submissions is shown only if there are enough of them', () => {
  expect(describeAccepted({ accepted: 0, submissions: 2 })).toBe('')
  expect(describeAccepted({ accepted: 5, submissions: 20 })).toMatch(/^25.?% of submissions accepted$/)
})
