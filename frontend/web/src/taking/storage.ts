/** What this browser keeps of an assessment: texts that the service may not have yet. */
import type { Batch, Edit, Signal } from './batches'

export interface Stored {
  text: string
  /** The sequence of the last batch that the service has, and the text that came with it. */
  base: number
  kept: string
  /** When the text was changed last, by the service's clock. */
  at: number
  sending?: Batch
  edits: Edit[]
  signals: Signal[]
  other?: { text: string; at: number }
}

const PREFIX = 'take:'
const keyOf = (participation: string, position: number) => `${PREFIX}${participation}:${position}`

export function load(participation: string, position: number): Stored | null {
  try {
    return JSON.parse(localStorage.getItem(keyOf(participation, position)) ?? 'null') as Stored | null
  } catch {
    return null
  }
}

/** What the service has needs no place here, unless there is another text beside it. */
export function save(participation: string, position: number, stored: Stored, unsaved: boolean) {
  try {
    if (unsaved || stored.other) localStorage.setItem(keyOf(participation, position), JSON.stringify(stored))
    else localStorage.removeItem(keyOf(participation, position))
  } catch {
    // No room, or storage is forbidden: it is in memory, and on the service in a moment.
  }
}

/** Items of which something lies here. */
export function positionsOf(participation: string): number[] {
  const prefix = `${PREFIX}${participation}:`
  const keys = Object.keys(localStorage).filter(key => key.startsWith(prefix))
  return keys.map(key => Number(key.slice(prefix.length))).filter(Number.isInteger)
}

/** An answer to a question that was chosen and not sent. */
export const chosenKey = (participation: string, position: number, question: string) =>
  `${PREFIX}${participation}:${position}:${question}`

/** A snippet to try an item's answer with. */
export const tryKey = (participation: string, position: number) => `${PREFIX}${participation}:${position}:try`

const noticedKey = (participation: string, position: number) =>
  `${PREFIX}${participation}:${position}:noticed`

/** What was noticed at a quiz and is not told yet. */
export function noticed(participation: string, position: number): Signal[] {
  try {
    return JSON.parse(localStorage.getItem(noticedKey(participation, position)) ?? '[]') as Signal[]
  } catch {
    return []
  }
}

export function keepNoticed(participation: string, position: number, signals: Signal[]) {
  try {
    if (signals.length > 0) localStorage.setItem(noticedKey(participation, position), JSON.stringify(signals))
    else localStorage.removeItem(noticedKey(participation, position))
  } catch {
    // As above: it is in memory.
  }
}

/** It is over: nothing of it stays. */
export function forget(participation: string) {
  for (const key of Object.keys(localStorage))
    if (key.startsWith(`${PREFIX}${participation}:`)) localStorage.removeItem(key)
}

const LINK = 'take-link'

/** The link by which this tab came in: by it one comes back from another device. */
export const linkOfThisTab = {
  get: () => sessionStorage.getItem(LINK),
  set: (token: string) => sessionStorage.setItem(LINK, token),
}
