/**
 * Saves the lines of their own code that a candidate marks for a question: in this browser at once, on the service as soon as it
 * can be reached. A lost connection, a reload or a crash loses nothing.
 */
import { ApiError, api, type Schemas, unwrap } from '@/api/client'
import type { LineRange } from '@/shared/ui/lineRanges'
import { type OpenedItem, openItem } from '../requests'
import { loadMarks, type StoredMarks, saveMarks } from './storage'

type MarkedCode = Pick<Schemas['MarkedCode'], 'digest' | 'lines'>

export interface MarksWork {
  /** Lines that the service does not have yet. */
  marks?: StoredMarks
  /** `held`: another device has taken over, or the time is over; unsaved lines stay in this browser. */
  status: 'saved' | 'saving' | 'offline' | 'held'
  /** Why the service refused the last lines. */
  error?: ApiError
}

interface Terms {
  participation: string
  position: number
  /** Called if the service reports a change: another device, or the end. */
  onNews: () => void
}

const AGAIN_MS = 4000
const OVER = ['taken_over', 'time_is_over', 'not_signed_in']

/** The same text for the same marked lines of the same code; empty for none. */
const keyOf = (marked: MarkedCode | null) =>
  marked && marked.lines.length > 0 ? JSON.stringify([marked.digest, marked.lines]) : ''

export class MarksAutosave {
  work: MarksWork
  /** Called with the item as it is on the service, after lines were saved. */
  onSaved: ((opened: OpenedItem) => void) | undefined
  private busy = false
  /** What the service has, as far as this browser knows; undefined until the lines were compared with those on the service. */
  private there: MarkedCode | null | undefined
  private timer: ReturnType<typeof setTimeout> | undefined
  private hearers = new Set<() => void>()

  constructor(private terms: Terms) {
    const marks = loadMarks(terms.participation, terms.position)
    this.work = marks ? { marks, status: 'saving' } : { status: 'saved' }
  }

  subscribe = (hear: () => void) => {
    this.hearers.add(hear)
    return () => this.hearers.delete(hear)
  }

  snapshot = () => this.work

  get unsaved(): boolean {
    return this.work.marks !== undefined
  }

  private get met(): boolean {
    return this.there !== undefined
  }

  /**
   * The lines of this code that are marked, saved or not; undefined if none are known. Saved lines are among them, because the
   * page learns of them a moment later from its query, and a line that is marked in this moment must not replace them.
   */
  linesFor = (digest: string): LineRange[] | undefined =>
    [this.work.marks, this.there].find(each => each?.digest === digest)?.lines as LineRange[] | undefined

  /** Marks these lines in place of all others. */
  mark(digest: string, lines: LineRange[]) {
    const bases = this.work.marks?.bases ?? [keyOf(this.there ?? null)]
    this.put({ digest, lines, bases })
    this.push()
  }

  /**
   * Compares with what the service has, and sends the lines that it lacks. Lines that were marked on another device since then
   * stay, and those of this browser are dropped.
   */
  meet(there: MarkedCode | null) {
    const { marks } = this.work
    const isFirst = !this.met
    this.there = there
    if (!marks || !isFirst) return
    const hasArrived = keyOf(there) === keyOf(marks)
    if (!hasArrived && marks.bases.includes(keyOf(there))) this.push()
    else this.put(undefined)
  }

  /** Sends the lines now, for example because the connection is back. */
  look = async () => {
    if (!this.unsaved) return
    if (this.met) {
      await this.push()
      return
    }
    try {
      const { question } = await openItem(this.terms.position)
      this.meet(question?.about?.marked ?? null)
    } catch {
      this.tell({ status: 'offline' })
    }
  }

  /** Saves until nothing is left; false if that failed. */
  async flush(): Promise<boolean> {
    if (!this.met) await this.look()
    for (let tries = 0; this.unsaved && this.met && tries < 50; tries++) {
      if (this.busy) await new Promise(done => setTimeout(done, 50))
      else if (!(await this.push())) return false
    }
    return !this.unsaved
  }

  /** Call when the page unloads: sends one last request with `keepalive`, which the browser completes by itself. */
  leave() {
    this.push(true)
  }

  /** Returns whether the service has stored the lines. */
  private async push(keepalive = false): Promise<boolean> {
    const marks = this.met && !this.busy && this.next()
    if (!marks) return false
    this.busy = true
    try {
      const params = { path: { position: this.terms.position } }
      const path = '/api/participation/items/{position}/marked-lines'
      const body = { digest: marks.digest, lines: marks.lines }
      const opened = await unwrap(api.PUT(path, { params, body, keepalive }))
      this.busy = false
      this.there = body
      this.onSaved?.(opened)
      const newer = this.work.marks
      if (newer === marks || !newer) this.put(undefined)
      else {
        this.put({ ...newer, bases: [keyOf(marks)] })
        this.push()
      }
      return true
    } catch (error) {
      this.busy = false
      return this.failed(error as Error)
    }
  }

  /** The lines to send. They are stored as sent first, because the page may close before the reply arrives. */
  private next(): StoredMarks | undefined {
    const { marks } = this.work
    if (!marks) return undefined
    clearTimeout(this.timer)
    const next = { ...marks, bases: [...new Set([...marks.bases, keyOf(marks)])] }
    this.put(next)
    return next
  }

  private failed(error: Error): false {
    const refusal = error instanceof ApiError ? error : new ApiError(0, 'offline', error.message)
    if (OVER.includes(refusal.code)) {
      this.tell({ status: 'held' })
      this.terms.onNews()
    } else if (refusal.status >= 400 && refusal.status < 500 && refusal.status !== 429) {
      this.put(undefined, refusal)
    } else {
      this.tell({ status: 'offline' })
      this.timer = setTimeout(this.look, AGAIN_MS)
    }
    return false
  }

  private put(marks: StoredMarks | undefined, error?: ApiError) {
    saveMarks(this.terms.participation, this.terms.position, marks)
    const status = marks ? (this.work.status === 'offline' ? 'offline' : 'saving') : 'saved'
    this.tell({ marks, status, error })
  }

  private tell(change: Partial<MarksWork>) {
    this.work = { ...this.work, ...change }
    for (const hear of this.hearers) hear()
  }
}
