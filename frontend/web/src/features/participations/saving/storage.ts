/** Stores an assessment's texts in this browser until the service has them. */
import type { LineRange } from '@/shared/ui/lineRanges'
import type { Batch, Edit, Signal } from './batches'

export interface StoredAnswer {
  text: string
  /** The sequence number of the last batch that the service has stored, and its text. */
  base: number
  saved: string
  /** When the text last changed, by the service's clock. */
  at: number
  sending?: Batch
  edits: Edit[]
  signals: Signal[]
  other?: { text: string; at: number }
}

/** Lines of their own code that the candidate marked, and the service may not have. */
export interface StoredMarks {
  /** The digest of the marked code. */
  digest: string
  lines: LineRange[]
  /**
   * What the service can have if nobody marked lines on another device since then: what it had before, and what this browser has
   * sent without getting a reply.
   */
  bases: string[]
}

const PREFIX = 'take:'
const keyOf = (participation: string, position: number) => `${PREFIX}${participation}:${position}`

export function loadAnswer(participation: string, position: number): StoredAnswer | null {
  try {
    return JSON.parse(localStorage.getItem(keyOf(participation, position)) ?? 'null') as StoredAnswer | null
  } catch {
    return null
  }
}

/** Stores an answer. Once the service has it, the entry is removed, unless there is another text beside it. */
export function saveAnswer(participation: string, position: number, stored: StoredAnswer, unsaved: boolean) {
  try {
    if (unsaved || stored.other) localStorage.setItem(keyOf(participation, position), JSON.stringify(stored))
    else localStorage.removeItem(keyOf(participation, position))
  } catch {
    // The storage is full or blocked; the text is in memory, and soon on the service.
  }
}

/** Positions of the items with stored texts. */
export const positionsOf = (participation: string): number[] => positions(participation, '')

/** Positions of the items with stored marked lines. */
export const positionsWithMarks = (participation: string): number[] => positions(participation, ':marks')

function positions(participation: string, ending: string): number[] {
  const prefix = `${PREFIX}${participation}:`
  const keys = Object.keys(localStorage).filter(key => key.startsWith(prefix) && key.endsWith(ending))
  return keys
    .map(key => Number(key.slice(prefix.length, key.length - ending.length)))
    .filter(Number.isInteger)
}

/** The storage key of a selected but not submitted answer to a question. */
export const chosenKey = (participation: string, position: number, question: string) =>
  `${PREFIX}${participation}:${position}:${question}`

/** The storage key of the snippet for an item. */
export const tryKey = (participation: string, position: number) => `${PREFIX}${participation}:${position}:try`

const marksKey = (participation: string, position: number) => `${PREFIX}${participation}:${position}:marks`

export function loadMarks(participation: string, position: number): StoredMarks | undefined {
  try {
    const stored = localStorage.getItem(marksKey(participation, position))
    return stored ? (JSON.parse(stored) as StoredMarks) : undefined
  } catch {
    return undefined
  }
}

/** Stores marked lines, or removes them if there are none. */
export function saveMarks(participation: string, position: number, marks: StoredMarks | undefined) {
  try {
    if (marks) localStorage.setItem(marksKey(participation, position), JSON.stringify(marks))
    else localStorage.removeItem(marksKey(participation, position))
  } catch {
    // The storage is full or blocked; the lines are in memory, and soon on the service.
  }
}

const noticedKey = (participation: string, position: number) =>
  `${PREFIX}${participation}:${position}:noticed`

/** Signals of a quiz that are not sent yet. */
export function storedSignals(participation: string, position: number): Signal[] {
  try {
    return JSON.parse(localStorage.getItem(noticedKey(participation, position)) ?? '[]') as Signal[]
  } catch {
    return []
  }
}

export function storeSignals(participation: string, position: number, signals: Signal[]) {
  try {
    if (signals.length > 0) localStorage.setItem(noticedKey(participation, position), JSON.stringify(signals))
    else localStorage.removeItem(noticedKey(participation, position))
  } catch {
    // As above: the signals stay in memory.
  }
}

/** Deletes everything stored for a participation that is over. */
export function forgetParticipation(participation: string) {
  for (const key of Object.keys(localStorage))
    if (key.startsWith(`${PREFIX}${participation}:`)) localStorage.removeItem(key)
}

const LINK = 'take-link'

/** The invitation token that opened this tab. With it the candidate can come back from another device. */
export const invitationTokenOfTab = {
  get: () => sessionStorage.getItem(LINK),
  set: (token: string) => sessionStorage.setItem(LINK, token),
}
