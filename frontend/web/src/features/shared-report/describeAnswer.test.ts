import { expect, test } from 'vitest'
import { describeAnswer } from './describeAnswer'

const counts = { verdict: 'AC', created_at: '2026-05-04T09:20:00Z' } as const
const later = { verdict: 'RE', sent_at: '2026-05-04T09:30:00Z' } as const

test('the answer that counts is named, and a later one is mentioned', () => {
  expect(describeAnswer(counts, null)).toMatch(/^The answer that counts, submitted [^.]*\.$/)
  expect(describeAnswer(counts, later)).toMatch(/ The last answer, .* does not count: Runtime error\.$/)
  expect(describeAnswer({ ...counts, verdict: null }, null)).toMatch(/^The last answer, submitted /)
})
