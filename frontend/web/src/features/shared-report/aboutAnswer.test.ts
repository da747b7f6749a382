import { expect, test } from 'vitest'
import { aboutAnswer } from './aboutAnswer'

const counts = { verdict: 'AC', created_at: '2026-05-04T09:20:00Z' } as const
const later = { verdict: 'RE', sent_at: '2026-05-04T09:30:00Z' } as const

test('the answer that counts is named, and a later one is mentioned', () => {
  expect(aboutAnswer(counts, null)).toMatch(/^The answer that counts, submitted [^.]*\.$/)
  expect(aboutAnswer(counts, later)).toMatch(/ The last answer, .* does not count: Runtime error\.$/)
  expect(aboutAnswer({ ...counts, verdict: null }, null)).toMatch(/^The last answer, submitted /)
})
