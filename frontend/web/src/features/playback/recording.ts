/**
 * Reconstructs how an answer was written from the editor's batches of edits. Each edit replaces the range `from` to `to` (UTF-16
 * units of the text after the previous edits) by `text`, `t_ms` after the item was opened. If the edits are complete, the first
 * one inserts the starter into an empty text; otherwise the text begins as the starter.
 */
export interface Edit {
  t_ms: number
  from: number
  to: number
  text: string
}

export interface Batch {
  sequence: number
  at: string
  events: Edit[]
}

/** An edit with its time, in milliseconds since the item was opened; `batch` is when the service received it. */
export interface Step extends Edit {
  batch: string
}

export interface Recording {
  start: string
  steps: Step[]
  /** Whether a batch is missing or an edit does not fit the text. From there on, the text shown may be wrong. */
  torn: boolean
  /** Snapshots: the text after every `EVERY`th step; the first is the start. */
  snapshots: string[]
}

const EVERY = 200

const replaced = (text: string, { from, to, text: by }: Edit) => text.slice(0, from) + by + text.slice(to)

export function toRecording(starter: string, batches: Batch[]): Recording {
  const sorted = [...batches].sort((a, b) => a.sequence - b.sequence)
  const steps: Step[] = []
  for (const batch of sorted)
    for (const event of batch.events)
      steps.push({ ...event, t_ms: Math.max(event.t_ms, steps.at(-1)?.t_ms ?? 0), batch: batch.at })
  const [first] = steps
  const start = first && first.from === 0 && first.to > 0 && first.text.length >= first.to ? '' : starter
  const snapshots = [start]
  let torn = sorted.some((batch, place) => batch.sequence !== place + 1)
  let text = start
  steps.forEach((step, place) => {
    torn ||= place > 0 && (step.from > step.to || step.to > text.length)
    text = replaced(text, step)
    if ((place + 1) % EVERY === 0) snapshots.push(text)
  })
  return { start, steps, torn, snapshots }
}

/** The text after `count` steps. */
export function textAfter({ steps, snapshots, start }: Recording, count: number): string {
  const nearest = Math.floor(count / EVERY)
  return steps.slice(nearest * EVERY, count).reduce(replaced, snapshots[nearest] ?? start)
}

export const lastText = (recording: Recording) => textAfter(recording, recording.steps.length)

/** A shortened pause: `begins` is its place on the line, `lasted` its real length in milliseconds. */
export interface Pause {
  begins: number
  lasted: number
}

/** The timeline of a recording: real time with shortened pauses. All values are milliseconds. */
export interface Line {
  length: number
  /** For each step, its place on the timeline. */
  places: number[]
  pauses: Pause[]
}

export const LONGEST_PAUSE = 2000

export function timelineOf({ steps }: Recording): Line {
  const places: number[] = []
  const pauses: Pause[] = []
  let [place, before] = [0, steps[0]?.t_ms ?? 0]
  for (const { t_ms } of steps) {
    const lasted = t_ms - before
    if (lasted > LONGEST_PAUSE) pauses.push({ begins: place, lasted })
    place += Math.min(lasted, LONGEST_PAUSE)
    places.push(place)
    before = t_ms
  }
  return { length: place, places, pauses }
}

/** How many steps are done at a place on the timeline. */
export function doneAt({ places }: Line, place: number): number {
  let [low, high] = [0, places.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((places[middle] ?? 0) <= place) low = middle + 1
    else high = middle
  }
  return low
}

export interface Noticed {
  kind: string
  at: string
  size: number
}

/**
 * The place of an event on the timeline: a paste is at the edit of the same size in its batch, any other event after the batch
 * before it, as much later as it happened, but before the next edit. Undefined before the first edit.
 */
export function placeOf({ steps }: Recording, line: Line, { kind, at, size }: Noticed): number | undefined {
  const moment = Date.parse(at)
  const paste = steps.findIndex(step => step.batch === at && step.text.length === size)
  if (kind === 'paste' && paste >= 0) return line.places[paste]
  const last = steps.findLastIndex(step => Date.parse(step.batch) <= moment)
  const [from, step] = [line.places[last], steps[last]]
  if (from === undefined || !step) return undefined
  const gap = (line.places[last + 1] ?? line.length) - from
  return from + Math.min(moment - Date.parse(step.batch), gap)
}
