import { describe, expect, it } from 'vitest'
import { formatClock, formatDuration } from '../clock'
import { type Edit, limitBatch, type Signal, splitEdits, truncate } from './batches'

const edit = (text: string, from = 0): Edit => ({ t_ms: 5, from, to: from, text })
const applied = (text: string, edits: Edit[]) =>
  edits.reduce((now, { from, to, text: put }) => now.slice(0, from) + put + now.slice(to), text)

describe('parts', () => {
  it('put the same text there, whatever its length', () => {
    for (const length of [0, 1, 9_999, 10_000, 10_001, 35_000]) {
      const long = { t_ms: 1, from: 2, to: 4, text: 'x'.repeat(length) }
      expect(applied('abcdef', splitEdits(long))).toBe(`ab${long.text}ef`)
    }
  })

  it('never cut a character in two', () => {
    const text = `${'x'.repeat(9_999)}😀${'y'.repeat(20)}`
    const parts = splitEdits(edit(text))
    expect(parts.map(part => part.text).join('')).toBe(text)
    expect(parts.every(part => encodeURIComponent(part.text))).toBe(true)
  })
})

describe('a batch', () => {
  it('takes at least one edit and no more than fit', () => {
    const big = Array.from({ length: 20 }, () => edit('x'.repeat(10_000)))
    const [first] = truncate(big, [])
    expect(first.length).toBe(1)
    const small = Array.from({ length: 4000 }, () => edit('x'))
    expect(truncate(small, [])[0].length).toBeLessThanOrEqual(1500)
    expect(truncate([], [])).toEqual([[], []])
    const signals: Signal[] = Array.from({ length: 400 }, () => ({ kind: 'blur', size: 0, detail: '' }))
    expect(truncate([], signals)[1]).toHaveLength(150)
  })

  it('of far too many edits becomes one that puts the text there as a whole', () => {
    const many = Array.from({ length: 8000 }, () => edit('x'))
    const text = 'x'.repeat(8000)
    const kept = limitBatch(many, 3, text)
    expect(kept).toHaveLength(1)
    expect(applied('old', kept)).toBe(text)
    expect(limitBatch(many.slice(0, 10), 3, text)).toHaveLength(10)
    expect(limitBatch([], 3, text)).toEqual([])
  })
})

describe('times', () => {
  it('are read as on a clock and in words', () => {
    expect([0, 65, 3700].map(formatClock)).toEqual(['0:00', '1:05', '1:01:40'])
    expect([1, 60, 90, 121].map(formatDuration)).toEqual([
      '1 minute',
      '1 hour',
      '1 hour and 30 minutes',
      '2 hours and 1 minute',
    ])
  })
})
