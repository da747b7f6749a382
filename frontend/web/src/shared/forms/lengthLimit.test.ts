import { describe, expect, it } from 'vitest'
import { isOverLimit, lengthNote } from './lengthLimit'

describe('the length of a text', () => {
  it('is shown near the limit and over it', () => {
    expect(lengthNote('a'.repeat(89), 100)).toBeUndefined()
    expect(lengthNote('a'.repeat(90), 100)).toBe('90 of 100 characters')
    expect(lengthNote('a'.repeat(103), 100)).toBe('103 of 100 characters: shorten it by 3')
  })

  it('counts characters as the service does', () => {
    expect(isOverLimit('🔥'.repeat(100), 100)).toBe(false)
    expect(isOverLimit('🔥'.repeat(101), 100)).toBe(true)
  })
})
