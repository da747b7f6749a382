import { describe, expect, it } from 'vitest'
import { timeLeft } from './timeLeft'

const HOUR = 3_600_000

describe('the time left', () => {
  it('has at most two units', () => {
    expect(timeLeft(51 * HOUR + 59_000)).toBe('2 days 3 hours left')
    expect(timeLeft(24 * HOUR)).toBe('1 day left')
    expect(timeLeft(1.5 * HOUR)).toBe('1 hour 30 minutes left')
    expect(timeLeft(60_000)).toBe('1 minute left')
  })

  it('ends', () => {
    expect(timeLeft(59_999)).toBe('less than a minute left')
    expect(timeLeft(0)).toBe('over')
    expect(timeLeft(-1)).toBe('over')
  })
})
