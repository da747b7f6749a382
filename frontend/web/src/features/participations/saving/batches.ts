/** Splits edits and signals into batches that the service accepts. */
import type { ReplacedRange } from '@/features/editor'

export interface Edit extends ReplacedRange {
  t_ms: number
}

export interface Signal {
  kind: 'paste' | 'blur' | 'focus'
  size: number
  detail: string
  /** An idempotency key, so that the signal counts once even if it is sent again. Signals in a batch need none. */
  key?: string
}

/** The content of one request. It does not change until the service has stored it, so sending it twice is harmless. */
export interface Batch {
  sequence: number
  source: string
  edits: Edit[]
  signals: Signal[]
}

// Slightly below the service's limits: 5000 batches of 64 KiB with 2000 edits and 200 signals.
export const BATCHES = 4990
const [EDITS, SIGNALS, BYTES, EDIT_BYTES] = [1500, 150, 48_000, 60]
/** The most UTF-8 bytes per UTF-16 unit: three. Each half of a surrogate pair counts as two. */
const CHARACTER_BYTES = 3
const LONGEST = 10_000
/** The most edits, in bytes, that are kept while offline; beyond it they are merged into one. */
const KEPT_BYTES = 400_000

const weight = (edit: Edit) => edit.text.length * CHARACTER_BYTES + EDIT_BYTES

/** Splits an edit into parts that fit a batch. */
export function splitEdits(edit: Edit): Edit[] {
  const parts: Edit[] = []
  let at = 0
  do {
    let end = Math.min(edit.text.length, at + LONGEST)
    // Do not split a surrogate pair.
    if (end < edit.text.length && /[\ud800-\udbff]/.test(edit.text.charAt(end - 1))) end -= 1
    const from = edit.from + at
    parts.push({ t_ms: edit.t_ms, from, to: at === 0 ? edit.to : from, text: edit.text.slice(at, end) })
    at = end
  } while (at < edit.text.length)
  return parts
}

/** Returns the edits, or, if there are too many, one edit that replaces the whole text. */
export function limitBatch(edits: Edit[], length: number, text: string): Edit[] {
  const bytes = edits.reduce((sum, each) => sum + weight(each), 0)
  const last = edits.at(-1)
  if (bytes <= KEPT_BYTES || !last) return edits
  return splitEdits({ t_ms: last.t_ms, from: 0, to: length, text })
}

/** The first edits and signals, as many as fit into one batch. */
export function truncate(edits: Edit[], signals: Signal[]): [edits: Edit[], signals: Signal[]] {
  let [count, bytes] = [0, 0]
  for (const edit of edits.slice(0, EDITS)) {
    bytes += weight(edit)
    if (count > 0 && bytes > BYTES) break
    count += 1
  }
  return [edits.slice(0, count), signals.slice(0, SIGNALS)]
}
