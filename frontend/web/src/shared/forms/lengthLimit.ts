/** Tells the length of a text near its limit. A field that cuts at the limit would lose the end of a pasted text. */
import { formatCount } from '../format/numbers'

/** The share of the limit from which the length is shown. */
const NEAR = 0.9

/** The service counts code points, `length` counts UTF-16 units. */
const lengthOf = (text: string) => [...text].length

export const isOverLimit = (text: string, longest: number) => lengthOf(text) > longest

export function lengthNote(text: string, longest: number): string | undefined {
  const length = lengthOf(text)
  if (length < NEAR * longest) return undefined
  const note = `${formatCount(length)} of ${formatCount(longest)} characters`
  return length > longest ? `${note}: shorten it by ${formatCount(length - longest)}` : note
}
