import { describe, expect, it } from 'vitest'
import { FACTORS, formatExtraTime, NO_EXTRA_TIME, toExtraTime } from './extraTime'

describe('extra time', () => {
  it('is minutes or one of three factors, however they are written', () => {
    expect(toExtraTime('15')).toEqual({ extra_minutes: 15, time_percent: 100 })
    expect(toExtraTime(' +15 min')).toEqual({ extra_minutes: 15, time_percent: 100 })
    for (const text of ['×1.5', 'x1.5', '1.5x', '1.5 ×', '* 1.50'])
      expect(toExtraTime(text)).toEqual({ extra_minutes: 0, time_percent: 150 })
    expect(toExtraTime('')).toEqual(NO_EXTRA_TIME)
    expect(toExtraTime('0')).toEqual(NO_EXTRA_TIME)
  })

  it('is nothing else', () => {
    for (const text of ['×3', '1.5', '-5', '1441', 'a lot', '×', '×1.25.1', '12h'])
      expect(toExtraTime(text)).toBeNull()
  })

  it('is read back as it is shown', () => {
    for (const text of [...FACTORS, '+15 min'])
      expect(formatExtraTime(toExtraTime(text) ?? NO_EXTRA_TIME)).toBe(text)
    expect(formatExtraTime(NO_EXTRA_TIME)).toBe('')
    expect(formatExtraTime({ extra_minutes: 5, time_percent: 125 })).toBe('×1.25 +5 min')
  })
})
