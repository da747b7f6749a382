import { describe, expect, it } from 'vitest'
import { replacedRange } from './typedChange'

const applied = (before: string, after: string) => {
  const { from, to, text } = replacedRange(before, after)
  return before.slice(0, from) + text + before.slice(to)
}

describe('replacedRange', () => {
  it('finds what was typed, deleted or replaced', () => {
    expect(replacedRange('ab', 'axb')).toEqual({ from: 1, to: 1, text: 'x' })
    expect(replacedRange('axb', 'ab')).toEqual({ from: 1, to: 2, text: '' })
    expect(replacedRange('', 'new')).toEqual({ from: 0, to: 0, text: 'new' })
    expect(replacedRange('aaa', 'aaaa').text).toBe('a')
  })

  it('never splits a pair of code units', () => {
    for (const [before, after] of [
      ['a🙂b', 'a🙃b'],
      ['🙂', '🙂🙂'],
      ['🙂🙃', '🙃'],
    ] as const) {
      expect(applied(before, after)).toBe(after)
      expect(replacedRange(before, after).text).not.toMatch(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/)
    }
  })
})
