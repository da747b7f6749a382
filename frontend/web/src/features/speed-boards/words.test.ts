import { expect, test } from 'vitest'
import { ticksBetween } from './IntervalPlot'
import type { Measurement } from './requests'
import { explainState, formatCost, formatRatio, formatWidth } from './words'

test('a ratio has as many digits as its interval deserves', () => {
  expect([0.083, 0.95, 1, 3.2, 12.44, 310.2].map(formatRatio)).toEqual([
    '0.083',
    '0.95',
    '1.00',
    '3.20',
    '12.4',
    '310',
  ])
})

test('costs have a fitting unit', () => {
  expect([4.49e-3, 1.31e-4, 2.5, 0, 8e-10].map(value => formatCost(value, 'speed'))).toEqual([
    '4.49 ms',
    '131 µs',
    '2.5 s',
    '0 ns',
    '0.8 ns',
  ])
  expect(formatCost(12.34, 'memory')).toBe('12 MiB')
  expect(formatWidth(0.034)).toBe('±3.4%')
})

test('an axis has a few round ticks, whatever it spans', () => {
  for (const [low, high] of [
    [0.97, 1.05],
    [0.5, 4.4],
    [0.9, 120],
    [1e-6, 3],
    [1, 1e9],
  ] as const) {
    const ticks = ticksBetween(low, high)
    expect(ticks.length).toBeLessThanOrEqual(6)
    expect(ticks.every(tick => tick >= low && tick <= high)).toBe(true)
  }
  expect(ticksBetween(0.5, 4.4)).toContain(1)
})

test('every state that is not a result says what comes next', () => {
  const found = {
    state: 'waiting',
    position: 3,
    pairs: 0,
    half_width: null,
    reason: '',
  } as Measurement
  expect(explainState(found)).toBe('It starts after 2 other measurements.')
  expect(explainState({ ...found, state: 'running', pairs: 9, half_width: 0.062 })).toBe(
    '9 pairs of runs, ±6.2% so far.',
  )
  expect(explainState({ ...found, state: 'withdrawn', reason: 'It remembers.' })).toContain('It remembers.')
})
