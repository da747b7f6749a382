import { describe, expect, it } from 'vitest'
import { daysOfWeek, duringPeriod, periodName } from './periods'

describe('periods of boards', () => {
  it('have names', () => {
    expect(periodName('2026-W07')).toBe('Week 7, 2026')
    expect(periodName('2026-11')).toBe('November 2026')
    expect(duringPeriod('all')).toBe('')
    expect(duringPeriod('2026-W47')).toBe('in week 47, 2026 (UTC)')
  })

  it('name the last day of a week, and not the Monday after it', () => {
    const days = daysOfWeek('2026-11-23T00:00:00Z', '2026-11-30T00:00:00Z')
    expect(days).toContain('29')
    expect(days).not.toContain('30')
  })
})
