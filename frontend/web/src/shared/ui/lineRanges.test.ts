import { describe, expect, it } from 'vitest'
import { describeLines, holdsLine, rangeAt, withLines } from './lineRanges'

describe('ranges of lines', () => {
  it('joins lines that touch', () => {
    expect(withLines([[1, 2]], 3, 3, true)).toEqual([[1, 3]])
    expect(withLines([[1, 2]], 4, 4, true)).toEqual([
      [1, 2],
      [4, 4],
    ])
    expect(
      withLines(
        [
          [2, 3],
          [6, 8],
        ],
        7,
        1,
        true,
      ),
    ).toEqual([[1, 8]])
  })

  it('cuts lines out of a range', () => {
    expect(withLines([[1, 5]], 3, 3, false)).toEqual([
      [1, 2],
      [4, 5],
    ])
    expect(withLines([[3, 3]], 1, 9, false)).toEqual([])
  })

  it('finds the range of a line', () => {
    expect(rangeAt([[2, 4]], 3)).toEqual([2, 4])
    expect(rangeAt([[2, 4]], 5)).toBeUndefined()
    expect(holdsLine([[2, 4]], 4)).toBe(true)
  })

  it('names the lines', () => {
    expect(describeLines([])).toBe('no lines')
    expect(describeLines([[3, 3]])).toBe('line 3')
    expect(describeLines([[3, 5]])).toBe('lines 3–5')
    expect(
      describeLines([
        [1, 1],
        [3, 5],
        [8, 8],
      ]),
    ).toBe('lines 1, 3–5 and 8')
  })
})
