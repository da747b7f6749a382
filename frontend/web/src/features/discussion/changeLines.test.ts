import { expect, it } from 'vitest'
import { changeLines } from './changeLines'

const mark = (lines: string) => lines.replace(/^/gm, '>! ')

it.each([
  ['', 0, 0, '>! '],
  ['one', 1, 1, '>! one'],
  ['one\ntwo\nthree', 4, 5, 'one\n\n>! two\n\nthree'],
  ['one\ntwo\nthree', 0, 5, '>! one\n>! two\n\nthree'],
  ['one\n\ntwo', 8, 8, 'one\n\n>! two'],
])('%j, selected from %i to %i', (text, from, to, expected) => {
  expect(changeLines(text, from, to, mark)).toBe(expected)
})
