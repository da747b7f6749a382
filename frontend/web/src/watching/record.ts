/**
 * How an answer was written, from the batches of edits that its editor told: every edit replaced what stood from `from` to
 * `to` (UTF-16 units, of the text as the edits before it had left it) by `text`, `t_ms` after the item was opened. A record
 * begins with nothing: its first edit puts the starter there. One that does not begins with the starter itself.
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

/** An edit at its moment, in milliseconds since the item was opened; `batch` is when the service got it. */
export interface Step extends Edit {
  batch: string
}

export interface Recording {
  start: string
  steps: Step[]
  /** Whether a batch is missing or an edit fits no text: what is shown from there on may not be what was there. */
  torn: boolean
  /** The text after every `EVERY`th step, the first being the start. */
  kept: string[]
}

const EVERY = 200

const replaced = (text: string, { from, to, text: by }: Edit) => text.slice(0, from) + by + text.slice(to)

export function recorded(starter: string, batches: Batch[]): Recording {
  const sorted = [...batches].sort((a, b) => a.sequence - b.sequence)
  const steps: Step[] = []
  for (const batch of sorted)
    for (const event of batch.events)
      steps.push({ ...event, t_ms: Math.max(event.t_ms, steps.at(-1)?.t_ms ?? 0), batch: batch.at })
  const [first] = steps
  const start = first && first.from === 0 && first.to > 0 && first.text.length >= first.to ? '' : starter
  const kept = [start]
  let torn = sorted.some((batch, place) => batch.sequence !== place + 1)
  let text = start
  steps.forEach((step, place) => {
    torn ||= place > 0 && (step.from > step.to || step.to > text.length)
    text = replaced(text, step)
    if ((place + 1) % EVERY === 0) kept.push(text)
  })
  return { start, steps, torn, kept }
}

/** The text after so many steps. */
export function textAfter({ steps, kept, start }: Recording, count: number): string {
  const nearest = Math.floor(count / EVERY)
  return steps.slice(nearest * EVERY, count).reduce(replaced, kept[nearest] ?? start)
}

export const lastText = (recording: Recording) => textAfter(recording, recording.steps.length)

/** A pause, cut short: `begins` on the line, and how long it really was, in milliseconds. */
export interface Pause {
  begins: number
  lasted: number
}

/** The line along which a recording plays: real time with its pauses cut. Everything in milliseconds. */
export interface Line {
  length: number
  /** For each step, its place on the line. */
  places: number[]
  pauses: Pause[]
}

export const LONGEST_PAUSE = 2000

export function lineOf({ steps }: Recording): Line {
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

/** How many steps are done at a place of the line. */
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
 * Where something that was noticed belongs on the line: a paste at the edit of its size that came with it, everything else
 * where its batch ends. Undefined before the first edit came.
 */
export function placeOf({ steps }: Recording, line: Line, { kind, at, size }: Noticed): number | undefined {
  const moment = Date.parse(at)
  const paste = steps.findIndex(step => step.batch === at && step.text.length === size)
  if (kind === 'paste' && paste >= 0) return line.places[paste]
  const last = steps.findLastIndex(step => Date.parse(step.batch) <= moment)
  return last < 0 ? undefined : line.places[last]
}
