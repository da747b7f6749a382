/**
 * Keeps what is written for one item: in this browser at every change, on the service a moment later, with the edits since
 * the last time. A batch is stored before it leaves, so neither a lost connection nor a crash loses or doubles anything.
 */
import { api, Refusal, type Schemas, told } from '../api/client'
import { openItem } from '../api/taking'
import type { Change, Replaced } from '../challenge/changes'
import { BATCHES, type Batch, bounded, cut, type Edit, inParts, type Signal } from './batches'
import { load, type Stored, save } from './storage'
import { serverNow } from './time'

type Recorded = Schemas['ParticipationView']['recorded'][number]

export interface Work {
  text: string
  /** `held`: another device goes on, or the time is over; what is not saved stays in this browser. */
  status: 'loading' | 'saving' | 'saved' | 'offline' | 'refused' | 'held'
  message?: string
  /** A text that gave way to a newer one, until somebody has looked at it. */
  other?: { text: string; at: number }
}

export interface Terms {
  participation: string
  position: number
  starter: string
  openedAt: number
  recorded: readonly Recorded[]
  /** The end of the item, by the service's clock; it may move. */
  endsAt: () => number
  /** The service says that something has changed: another device, the end. */
  onNews: () => void
}

const [PAUSE_MS, LATE_PAUSE_MS, LATE_MS, AGAIN_MS] = [2000, 400, 6000, 4000]
/** Browsers send no more than this once a page is being left. */
const KEEPALIVE_CHARACTERS = 15_000
const SIGNALS_KEPT = 500
const OVER = ['taken_over', 'time_is_over']

export class Keeper {
  work: Work
  private at: Stored
  private busy = false
  private looking = false
  /** Whether the service has told what it has. */
  private met = false
  private timer: ReturnType<typeof setTimeout> | undefined
  private due = Number.POSITIVE_INFINITY
  private hearers = new Set<() => void>()

  constructor(private terms: Terms) {
    const { participation, position, starter } = terms
    const fresh: Stored = { text: starter, base: 0, kept: '', at: 0, edits: [], signals: [] }
    this.at = load(participation, position) ?? fresh
    this.work = { text: this.at.text, status: 'loading', ...(this.at.other && { other: this.at.other }) }
  }

  subscribe = (hear: () => void) => {
    this.hearers.add(hear)
    return () => this.hearers.delete(hear)
  }

  snapshot = () => this.work

  get unsaved(): boolean {
    const { sending, edits, signals, text } = this.at
    return Boolean(sending) || edits.length > 0 || signals.length > 0 || text !== this.known
  }

  /** The text that the service has, or what everybody begins with. */
  private get known(): string {
    return this.at.base > 0 ? this.at.kept : this.terms.starter
  }

  /** What somebody typed or pasted. */
  change = (text: string, { edits, pasted }: Change) => {
    if (text === this.at.text) return
    if (pasted) this.note('paste', pasted)
    this.put(text, edits)
  }

  /** Another text as a whole: the starter, or one of two. */
  replace = (text: string) => this.put(text, [{ from: 0, to: this.at.text.length, text }])

  /** The page was left or entered, or something was pasted: into the answer, unless `detail` says where. */
  note(kind: Signal['kind'], size = 0, detail = '') {
    const wanted = kind === 'paste' ? 'pastes' : 'focus'
    if (!this.terms.recorded.includes(wanted)) return
    if (this.at.signals.length < SIGNALS_KEPT) this.at.signals.push({ kind, size, detail })
    this.store()
    this.later()
  }

  /** Somebody looked at the text that gave way: `text` is what stays. */
  settle(text: string) {
    this.at.other = undefined
    this.tell({ other: undefined })
    if (text !== this.at.text) this.replace(text)
    else this.store()
  }

  /** Compare with what the service has; then save what it has not. */
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

  /** What the service has is set against what is here; the newer of two texts stays, and the other is kept beside it. */
  meet(kept: Schemas['KeptDraft']) {
    const { at } = this
    this.met = true
    const arrived = at.sending?.sequence === kept.revision && at.sending.source === kept.source
    if (kept.revision === at.base) at.kept = kept.revision ? kept.source : ''
    else if (arrived) this.took(kept.revision)
    else if (!this.unsaved || kept.source === at.text) this.reset(kept, kept.source, [])
    else if (Date.parse(kept.saved_at ?? '') > at.at) {
      at.other = { text: at.text, at: at.at }
      this.reset(kept, kept.source, [])
    } else {
      at.other = { text: kept.source, at: Date.parse(kept.saved_at ?? '') }
      const back = {
        t_ms: Math.max(0, Math.round(at.at - this.terms.openedAt)),
        from: 0,
        to: kept.source.length,
      }
      this.reset(kept, at.text, inParts({ ...back, text: at.text }))
    }
    this.store()
    const { text, other } = this.at
    this.tell({ text, other, status: this.unsaved ? 'saving' : 'saved', message: undefined })
    if (this.unsaved) this.push()
  }

  /** Save now, until nothing is left; false if that did not work. */
  async flush(): Promise<boolean> {
    if (!this.met) await this.look()
    for (let tries = 0; this.unsaved && tries < 50; tries++) {
      if (this.busy) await new Promise(done => setTimeout(done, 50))
      else if (!(await this.push())) return false
    }
    return !this.unsaved
  }

  /** The page is being left: one last request, which the browser carries on with alone. */
  leave() {
    this.push(this.at.text.length < KEEPALIVE_CHARACTERS)
  }

  private put(text: string, edits: Replaced[]) {
    const t_ms = Math.max(0, Math.round(serverNow() - this.terms.openedAt))
    const { length } = this.at.sending?.source ?? this.known
    if (this.terms.recorded.includes('edits'))
      for (const edit of [...this.first(), ...edits]) this.at.edits.push(...inParts({ t_ms, ...edit }))
    this.at.edits = bounded(this.at.edits, length, text)
    this.at.text = text
    this.at.at = serverNow()
    this.store()
    this.tell({ text, status: this.work.status === 'saved' ? 'saving' : this.work.status })
    this.later()
  }

  /** Whoever plays the edits begins with nothing: the first one puts the starter there. */
  private first(): Replaced[] {
    const { starter } = this.terms
    const begun = this.at.base > 0 || this.at.sending || this.at.edits.length > 0
    return begun ? [] : [{ from: 0, to: starter.length, text: starter }]
  }

  private reset(kept: Schemas['KeptDraft'], text: string, edits: Edit[]) {
    const wanted = this.terms.recorded.includes('edits') ? edits : []
    this.at = { ...this.at, base: kept.revision, kept: kept.source, text, edits: wanted, sending: undefined }
  }

  private took(revision: number) {
    this.at.kept = this.at.sending?.source ?? this.at.kept
    this.at.base = revision
    this.at.sending = undefined
  }

  private next(): Batch {
    const { at } = this
    const [edits, signals] = cut(at.edits, at.signals)
    at.edits = at.edits.slice(edits.length)
    at.signals = at.signals.slice(signals.length)
    at.sending = { sequence: at.base + 1, source: at.text, edits, signals }
    this.store()
    return at.sending
  }

  /** Send one batch; whether the service has it now. */
  private async push(keepalive = false): Promise<boolean> {
    if (this.busy || this.looking || !this.met || !this.unsaved) return false
    this.wait()
    const batch = this.at.sending ?? this.next()
    this.busy = true
    this.tell({ status: this.work.status === 'offline' ? 'offline' : 'saving' })
    try {
      const params = { path: { position: this.terms.position } }
      const path = '/api/participation/items/{position}/draft'
      const saved = await told(api.PUT(path, { params, body: batch, keepalive }))
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

  /** Another page saved this item meanwhile. */
  private again(): false {
    this.look()
    return false
  }

  private failed(error: Error): false {
    const refusal = error instanceof Refusal ? error : new Refusal(0, 'offline', error.message)
    if (refusal.code === 'draft_moved_on') return this.again()
    if (OVER.includes(refusal.code)) {
      this.tell({ status: 'held', message: refusal.message })
      this.terms.onNews()
    } else if ([413, 422].includes(refusal.status) && this.at.sending?.edits.length) {
      // The text matters more than how it came about.
      this.at.sending = { ...this.at.sending, source: this.at.text, edits: [], signals: [] }
      this.store()
      this.later(0)
    } else if ([401, 404, 409, 413, 422].includes(refusal.status)) {
      // Cut anew after the next change: what was refused may be mended by it.
      this.at.sending = undefined
      this.tell({ status: 'refused', message: refusal.message })
    } else {
      this.tell({ status: 'offline' })
      this.later(AGAIN_MS)
    }
    return false
  }

  /** Somebody who never stops typing is saved too: a time that is set stays, unless this one is sooner. */
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

  /** Nothing is due any more. */
  private wait() {
    clearTimeout(this.timer)
    this.due = Number.POSITIVE_INFINITY
  }

  /** Seconds of quiet; less near the end, more if the batches that may be sent would not last. */
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
    save(this.terms.participation, this.terms.position, this.at, this.unsaved)
  }
}
