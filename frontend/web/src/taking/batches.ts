/** What is written, cut into parts that the service takes. */
import type { Replaced } from '../challenge/changes'

export interface Edit extends Replaced {
  t_ms: number
}

export interface Signal {
  kind: 'paste' | 'blur' | 'focus'
  size: number
  detail: string
  /** So that it counts once, however often it is sent. A batch needs none of its signals to have one. */
  key?: string
}

/** One request's worth. It stays as it is until the service has it, so that sending it twice is harmless. */
export interface Batch {
  sequence: number
  source: string
  edits: Edit[]
  signals: Signal[]
}

// Below what the service takes at most: 5000 batches of 64 KiB with 2000 edits and 200 signals.
export const BATCHES = 4990
const [EDITS, SIGNALS, BYTES, EDIT_BYTES] = [1500, 150, 48_000, 60]
/** A character takes three bytes at most, and of a pair of surrogates each takes two. */
const CHARACTER_BYTES = 3
const LONGEST = 10_000
/** What is kept of the edits while nothing can be sent; beyond it they become one. */
const KEPT_BYTES = 400_000

const weight = (edit: Edit) => edit.text.length * CHARACTER_BYTES + EDIT_BYTES

/** The same edit, in parts that fit a batch. */
export function inParts(edit: Edit): Edit[] {
  const parts: Edit[] = []
  let at = 0
  do {
    let end = Math.min(edit.text.length, at + LONGEST)
    // The halves of a character stay together.
    if (end < edit.text.length && /[\ud800-\udbff]/.test(edit.text.charAt(end - 1))) end -= 1
    const from = edit.from + at
    parts.push({ t_ms: edit.t_ms, from, to: at === 0 ? edit.to : from, text: edit.text.slice(at, end) })
    at = end
  } while (at < edit.text.length)
  return parts
}

/** Edits of which there are not too many: else one that has put the text there as a whole. */
export function bounded(edits: Edit[], length: number, text: string): Edit[] {
  const bytes = edits.reduce((sum, each) => sum + weight(each), 0)
  const last = edits.at(-1)
  if (bytes <= KEPT_BYTES || !last) return edits
  return inParts({ t_ms: last.t_ms, from: 0, to: length, text })
}

/** As much of the edits and signals as one batch takes, from the beginning. */
export function cut(edits: Edit[], signals: Signal[]): [edits: Edit[], signals: Signal[]] {
  let [count, bytes] = [0, 0]
  for (const edit of edits.slice(0, EDITS)) {
    bytes += weight(edit)
    if (count > 0 && bytes > BYTES) break
    count += 1
  }
  return [edits.slice(0, count), signals.slice(0, SIGNALS)]
}
