import { expect, test } from 'vitest'
import { type Card, nameOfAnswer } from './submissions'

const card = { kind: 'submit', created_at: '2026-05-04T09:20:00Z', status: 'judged' } as Card

test('a submission is listed with the points of the item, not with the weights of the tests', () => {
  const best = { ...card, verdict: 'AC', score: 81, max_score: 81 } as Card
  expect(nameOfAnswer(best, { points: 10 }, true)).toMatch(
    / · Accepted · 10 of 10 points · this answer counts$/,
  )
  const half = { ...card, verdict: 'WA', score: 27, max_score: 81 } as Card
  expect(nameOfAnswer(half, { points: 10 }, false)).toMatch(/ · Wrong answer · 3.33 of 10 points$/)
  const waits = { ...card, verdict: null, status: 'queued', score: 0, max_score: 81 } as Card
  expect(nameOfAnswer(waits, { points: 10 }, false)).toMatch(/ · queued$/)
})
