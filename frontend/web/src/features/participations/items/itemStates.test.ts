import { expect, test } from 'vitest'
import type { ItemCard, Participation } from '../requests'
import { stateOf } from './itemStates'

const item = { kind: 'challenge', sent: 1, unfinished: 1, score: null, verdict: null } as ItemCard
const participation = (verdicts: Participation['verdicts'], finished_at: string | null = null) => ({
  verdicts,
  finished_at,
})

test('while verdicts are hidden, an answer is submitted, whether or not it is judged', () => {
  expect(stateOf(item, participation('after')).word).toBe('submitted')
  expect(stateOf(item, participation('never', '2026-11-29T12:00:00Z')).word).toBe('submitted')
})

test('while verdicts are shown, an answer without one is being judged', () => {
  expect(stateOf(item, participation('at_once')).word).toBe('being judged')
  expect(stateOf(item, participation('after', '2026-11-29T12:00:00Z')).word).toBe('being judged')
})
