/** Describes what was typed into a plain text field, as the editor does for code. */
import type { ReplacedRange } from '@/features/editor'

const isHighSurrogate = (text: string, at: number) => /[\uD800-\uDBFF]/.test(text[at] ?? '')

/** The range that differs between two texts. It never splits a character that takes two code units. */
export function replacedRange(before: string, after: string): ReplacedRange {
  const shorter = Math.min(before.length, after.length)
  let from = 0
  while (from < shorter && before[from] === after[from]) from++
  if (from > 0 && isHighSurrogate(before, from - 1)) from--
  let end = 0
  while (end < shorter - from && before[before.length - 1 - end] === after[after.length - 1 - end]) end++
  if (end > 0 && isHighSurrogate(before, before.length - end - 1)) end--
  return { from, to: before.length - end, text: after.slice(from, after.length - end) }
}
