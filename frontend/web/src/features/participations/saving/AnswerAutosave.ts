/**
 * Saves the text of one item: in this browser at every change, on the service a moment later, together with the edits since the
 * last save. Each batch is stored before it is sent, so a lost connection or a crash neither loses nor duplicates anything.
 */
import { ApiError, api, type Schemas, unwrap } from '@/api/client'
import type { ReplacedRange, TextChange } from '@/features/editor'
import { serverNow } from '../clock'
import { openItem } from '../requests'
import { BATCHES, type Batch, type Edit, limitBatch, type Signal, splitEdits, truncate } from './batches'
import { loadAnswer, type StoredAnswer, saveAnswer } from './storage'

type Recorded = Schemas['ParticipationView']['recorded'][number]

export interface Work {
  text: string
  /** `held`: another device has taken over, the time is over, or the item is handed in; unsaved text stays in this browser. */
  status: 'loading' | 'saving' | 'saved' | 'offline' | 'refused' | 'held'
  message?: string
  /** A text that a newer one replaced, until the candidate has seen it. */
  other?: { text: string; at: number }
}

export interface Terms {
  participation: string
  position: number
  starter: string
  openedAt: number
  recorded: readonly Recorded[]
  /** The end of the item's time, by the service's clock; it may change. */
  endsAt: () => number
  /** Called if the service reports a change: another device, or the end. */
  onNews: () => void
}

const [PAUSE_MS, LATE_PAUSE_MS, LATE_MS, AGAIN_MS] = [2000, 400, 6000, 4000]
/** Browsers limit the size of requests sent while a page unloads. */
const KEEPALIVE_CHARACTERS = 15_000
const SIGNALS_KEPT = 500
const OVER = ['taken_over', 'time_is_over', 'handed_in']

export class AnswerAutosave {
  work: Work
  private at: StoredAnswer
  private busy = false
  private looking = false
  /** Whether the service's draft has been loaded. */
  private met = false
  /** Whether the item was handed in, so that nothing more can be saved. */
  private handedIn = false
  private timer: ReturnType<typeof setTimeout> | undefined
  private due = Number.POSITIVE_INFINITY
  private hearers = new Set<() => void>()

  constructor(private terms: Terms) {
    const { participation, position, starter } = terms
    const fresh: StoredAnswer = { text: starter, base: 0, saved: '', at: 0, edits: [], signals: [] }
    this.at = loadAnswer(participation, position) ?? fresh
    this.work = { text: this.at.text, status: 'loading', ...(this.at.other && { other: this.at.other }) }
  }

  subscribe = (hear: () => void) => {
    this.hearers.add(hear)
    return () => this.hearers.delete(hear)
  }

  snapshot = () => this.work

  get unsaved(): boolean {
    if (this.handedIn) return false
    const { sending, edits, signals, text } = this.at
    return Boolean(sending) || edits.length > 0 || signals.length > 0 || text !== this.known
  }

  /** The text on the service, or the starter if there is none. */
  private get known(): string {
    return this.at.base > 0 ? this.at.saved : this.terms.starter
  }

  /** Records what the candidate typed or pasted. */
  change = (text: string, { edits, pasted }: TextChange) => {
    if (text === this.at.text) return
    if (pasted) this.note('paste', pasted)
    this.put(text, edits)
  }

  /** Replaces the whole text: by the starter, or to settle a conflict. */
  replace = (text: string) => this.put(text, [{ from: 0, to: this.at.text.length, text }])

  /** Records that the page lost or gained focus, or a paste: into the answer, unless `detail` names another target. */
  note(kind: Signal['kind'], size = 0, detail = '') {
    const wanted = kind === 'paste' ? 'pastes' : 'focus'
    if (!this.terms.recorded.includes(wanted)) return
    if (this.at.signals.length < SIGNALS_KEPT) this.at.signals.push({ kind, size, detail })
    this.store()
    this.later()
  }

  /** Ends the choice between two texts: `text` becomes the answer. */
  settle(text: string) {
    this.at.other = undefined
    this.tell({ other: undefined })
    if (text !== this.at.text) this.replace(text)
    else this.store()
  }

  /** Loads the service's draft, compares it with the local text, and saves what the service does not have. */
  look = async () => {
    if (this.looking || this.busy) return
    this.looking = true
    try {
      const { draft } = await openItem(this.terms.position)
      this.looking = false
      if (draft) this.meet(draft)
    } catch (error) {
      this.looking = false
      this.failed(error as Error)
    }
  }

  /** Merges the service's draft: the newer of two different texts stays, and the other is kept as `other`. */
  meet(draft: Schemas['KeptDraft']) {
    const { at } = this
    this.met = true
    const arrived = at.sending?.sequence === draft.revision && at.sending.source === draft.source
    if (draft.revision === at.base) at.saved = draft.revision ? draft.source : ''
    else if (arrived) this.took(draft.revision)
    else if (!this.unsaved || draft.source === at.text) this.reset(draft, draft.source, [])
    else if (Date.parse(draft.saved_at ?? '') > at.at) {
      at.other = { text: at.text, at: at.at }
      this.reset(draft, draft.source, [])
    } else {
      at.other = { text: draft.source, at: Date.parse(draft.saved_at ?? '') }
      const back = {
        t_ms: Math.max(0, Math.round(at.at - this.terms.openedAt)),
        from: 0,
        to: draft.source.length,
      }
      this.reset(draft, at.text, splitEdits({ ...back, text: at.text }))
    }
    this.store()
    const { text, other } = this.at
    this.tell({ text, other, status: this.unsaved ? 'saving' : 'saved', message: undefined })
    if (this.unsaved) this.push()
  }

  /** Saves until nothing is left; false if that failed. */
  async flush(): Promise<boolean> {
    if (!this.met) await this.look()
    for (let tries = 0; this.unsaved && tries < 50; tries++) {
      if (this.busy) await new Promise(done => setTimeout(done, 50))
      else if (!(await this.push())) return false
    }
    return !this.unsaved
  }

  /** Call when the page unloads: sends one last request with `keepalive`, which the browser completes by itself. */
  leave() {
    this.push(this.at.text.length < KEEPALIVE_CHARACTERS)
  }

  private put(text: string, edits: ReplacedRange[]) {
    const t_ms = Math.max(0, Math.round(serverNow() - this.terms.openedAt))
    const { length } = this.at.sending?.source ?? this.known
    if (this.terms.recorded.includes('edits'))
      for (const edit of [...this.first(), ...edits]) this.at.edits.push(...splitEdits({ t_ms, ...edit }))
    this.at.edits = limitBatch(this.at.edits, length, text)
    this.at.text = text
    this.at.at = serverNow()
    this.store()
    this.tell({ text, status: this.work.status === 'saved' ? 'saving' : this.work.status })
    this.later()
  }

  /** A playback begins with an empty text, so the first edit inserts the starter. */
  private first(): ReplacedRange[] {
    const { starter } = this.terms
    const begun = this.at.base > 0 || this.at.sending || this.at.edits.length > 0
    return begun ? [] : [{ from: 0, to: starter.length, text: starter }]
  }

  private reset(draft: Schemas['KeptDraft'], text: string, edits: Edit[]) {
    const wanted = this.terms.recorded.includes('edits') ? edits : []
    this.at = {
      ...this.at,
      base: draft.revision,
      saved: draft.source,
      text,
      edits: wanted,
      sending: undefined,
    }
  }

  private took(revision: number) {
    this.at.saved = this.at.sending?.source ?? this.at.saved
    this.at.base = revision
    this.at.sending = undefined
  }

  private next(): Batch {
    const { at } = this
    const [edits, signals] = truncate(at.edits, at.signals)
    at.edits = at.edits.slice(edits.length)
    at.signals = at.signals.slice(signals.length)
    at.sending = { sequence: at.base + 1, source: at.text, edits, signals }
    this.store()
    return at.sending
  }

  /** Sends one batch. Returns whether the service has stored it. */
  private async push(keepalive = false): Promise<boolean> {
    if (this.busy || this.looking || !this.met || !this.unsaved) return false
    this.wait()
    const batch = this.at.sending ?? this.next()
    this.busy = true
    this.tell({ status: this.work.status === 'offline' ? 'offline' : 'saving' })
    try {
      const params = { path: { position: this.terms.position } }
      const path = '/api/participation/items/{position}/draft'
      const saved = await unwrap(api.PUT(path, { params, body: batch, keepalive }))
      this.busy = false
      if (saved.revision !== batch.sequence) return this.again()
      this.took(saved.revision)
      this.store()
      this.tell({ status: this.unsaved ? 'saving' : 'saved', message: undefined })
      if (this.unsaved) this.later()
      return true
    } catch (error) {
      this.busy = false
      return this.failed(error as Error)
    }
  }

  /** Another page saved this item in the meantime: compare again. */
  private again(): false {
    this.look()
    return false
  }

  private failed(error: Error): false {
    const refusal = error instanceof ApiError ? error : new ApiError(0, 'offline', error.message)
    if (refusal.code === 'draft_moved_on') return this.again()
    if (OVER.includes(refusal.code)) {
      this.handedIn = refusal.code === 'handed_in'
      this.tell({ status: 'held', message: refusal.message })
      this.terms.onNews()
    } else if ([413, 422].includes(refusal.status) && this.at.sending?.edits.length) {
      // The text matters more than its edits, so send it without them.
      this.at.sending = { ...this.at.sending, source: this.at.text, edits: [], signals: [] }
      this.store()
      this.later(0)
    } else if ([401, 404, 409, 413, 422].includes(refusal.status)) {
      // Build a new batch after the next change, which may fix what the service rejected.
      this.at.sending = undefined
      this.tell({ status: 'refused', message: refusal.message })
    } else {
      this.tell({ status: 'offline' })
      this.later(AGAIN_MS)
    }
    return false
  }

  /** Schedules a save. An earlier due time stays, so that the text is saved even if the candidate never stops typing. */
  private later(pause = this.pause()) {
    const due = performance.now() + pause
    if (this.due <= due) return
    this.wait()
    this.due = due
    this.timer = setTimeout(() => {
      this.due = Number.POSITIVE_INFINITY
      this.met ? this.push() : this.look()
    }, pause)
  }

  /** Cancels the scheduled save. */
  private wait() {
    clearTimeout(this.timer)
    this.due = Number.POSITIVE_INFINITY
  }

  /**
   * The pause before a save, in milliseconds: shorter near the end, longer if the remaining batches would not last until then.
   */
  private pause(): number {
    const left = this.terms.endsAt() - serverNow()
    if (left < LATE_MS) return LATE_PAUSE_MS
    return Math.max(PAUSE_MS, left / Math.max(1, BATCHES - this.at.base))
  }

  private tell(news: Partial<Work>) {
    this.work = { ...this.work, ...news }
    for (const hear of this.hearers) hear()
  }

  private store() {
    saveAnswer(this.terms.participation, this.terms.position, this.at, this.unsaved)
  }
}
