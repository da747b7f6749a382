/**
 * Keeps one draft: in this browser at every change, on the service a moment later. A save names the version that it was
 * made from, so another device's work is never overwritten unseen: then both texts are shown and the person decides.
 */
import { api, Refusal, type Schemas, told } from '../api/client'

type Kept = Schemas['DraftView']
type Local = { text: string; base: number; dirty: boolean }

export interface Draft {
  text: string
  status: 'local' | 'loading' | 'saving' | 'saved' | 'offline' | 'refused' | 'conflict'
  /** What another device saved, while the two differ and nobody has decided. */
  theirs?: Kept
  previous?: Kept['previous']
  /** Why the service did not take it. */
  message?: string
}

export const PAUSE_MS = 1500
const AGAIN_MS = 5000
/** Browsers send no more than this once a page is being left. */
const KEEPALIVE_BYTES = 60_000
export const HERE = 'here'

const keyOf = (slug: string, owner: string) => `draft:${slug}:${owner}`

function read(slug: string, owner: string): Local | null {
  try {
    return JSON.parse(localStorage.getItem(keyOf(slug, owner)) ?? 'null') as Local | null
  } catch {
    return null
  }
}

/** What this browser has: the owner's own, or what was written here before he signed in. */
function recalled(slug: string, owner: string): Local | null {
  const own = read(slug, owner)
  const before = owner === HERE ? null : read(slug, HERE)
  if (!before) return own
  localStorage.removeItem(keyOf(slug, HERE))
  return before.dirty || !own ? { ...before, base: before.dirty ? 0 : before.base } : own
}

export class Keeper {
  draft: Draft
  private base: number
  private dirty: boolean
  private saving = false
  private timer: ReturnType<typeof setTimeout> | undefined
  private heard = new Set<() => void>()

  constructor(
    readonly slug: string,
    readonly starter: string,
    readonly owner: string,
    private remote: boolean,
  ) {
    const local = recalled(slug, owner)
    this.base = local?.base ?? 0
    this.dirty = local?.dirty ?? false
    this.draft = { text: local?.text ?? starter, status: remote ? 'loading' : 'local' }
  }

  subscribe = (hear: () => void) => {
    this.heard.add(hear)
    return () => this.heard.delete(hear)
  }

  /** Begin to follow the service; returns what ends it. */
  start(): () => void {
    const leaving = () => document.visibilityState === 'hidden' && this.push(true)
    const back = () => document.visibilityState === 'visible' && this.refresh()
    const online = () => this.refresh()
    document.addEventListener('visibilitychange', leaving)
    document.addEventListener('visibilitychange', back)
    window.addEventListener('pagehide', leaving)
    window.addEventListener('online', online)
    this.refresh()
    return () => {
      document.removeEventListener('visibilitychange', leaving)
      document.removeEventListener('visibilitychange', back)
      window.removeEventListener('pagehide', leaving)
      window.removeEventListener('online', online)
      clearTimeout(this.timer)
      this.push(true)
    }
  }

  /** There is somebody now (a guest was made): what is here is saved. */
  signIn() {
    if (this.remote) return
    this.remote = true
    this.refresh()
  }

  change = (text: string) => {
    if (text === this.draft.text) return
    this.dirty = true
    this.tell({ text, ...(this.draft.status === 'saved' && { status: 'saving' }) })
    this.store()
    this.later(PAUSE_MS)
  }

  /** Decide: `text` stays, whether mine, theirs or made of both. */
  settle(text: string) {
    const { theirs } = this.draft
    if (!theirs) return
    this.base = theirs.version
    this.dirty = text !== theirs.source
    this.tell({ text, status: 'saved', theirs: undefined })
    this.store()
    if (this.dirty) this.push()
  }

  /** The draft from before signing in: `text` stays in its place, and it is forgotten. */
  settlePrevious(text: string) {
    this.tell({ previous: null })
    this.change(text)
    const path = { slug: this.slug }
    told(api.DELETE('/api/drafts/{slug}/previous', { params: { path } })).catch(() => undefined)
  }

  private tell(news: Partial<Draft>) {
    this.draft = { ...this.draft, ...news }
    for (const hear of this.heard) hear()
  }

  private store() {
    const local: Local = { text: this.draft.text, base: this.base, dirty: this.dirty }
    try {
      localStorage.setItem(keyOf(this.slug, this.owner), JSON.stringify(local))
    } catch {
      // No room, or storage is forbidden: the service keeps it.
    }
  }

  private later(pause: number) {
    clearTimeout(this.timer)
    if (this.remote) this.timer = setTimeout(() => (this.dirty ? this.push() : this.refresh()), pause)
  }

  /** Look what the service has; unsaved changes go there instead. */
  private async refresh() {
    if (!this.remote || this.saving || this.draft.theirs) return
    try {
      const path = { slug: this.slug }
      this.take(await told(api.GET('/api/drafts/{slug}', { params: { path } })))
    } catch (error) {
      this.failed(error as Error)
    }
  }

  private take(kept: Kept) {
    if (kept.previous) this.tell({ previous: kept.previous })
    if (kept.version === this.base || kept.source === this.draft.text || kept.version === 0) {
      this.dirty = this.dirty && kept.source !== this.draft.text
      this.base = kept.version
      this.tell({ status: 'saved' })
      if (this.dirty) this.push()
    } else if (this.dirty) {
      this.tell({ status: 'conflict', theirs: kept })
    } else {
      this.base = kept.version
      this.tell({ text: kept.source, status: 'saved' })
    }
    this.store()
  }

  private async push(leaving = false) {
    clearTimeout(this.timer)
    if (!this.remote || !this.dirty || this.saving || this.draft.theirs) return
    const { text } = this.draft
    const body = { source: text, version: this.base }
    const keepalive = leaving && text.length < KEEPALIVE_BYTES
    this.saving = true
    if (!leaving) this.tell({ status: 'saving' })
    try {
      const params = { path: { slug: this.slug } }
      const { data, error, response } = await api.PUT('/api/drafts/{slug}', { params, body, keepalive })
      this.saving = false
      if (response.status === 409 && error && 'draft' in error)
        this.tell({ status: 'conflict', theirs: error.draft })
      else this.saved(await told(Promise.resolve({ data, error, response })), text)
    } catch (error) {
      this.saving = false
      this.failed(error instanceof Refusal ? error : new Refusal(0, 'offline', ''))
    }
  }

  private saved(kept: Kept, text: string) {
    this.base = kept.version
    this.dirty = this.draft.text !== text
    this.tell({ status: this.dirty ? 'saving' : 'saved', message: undefined })
    this.store()
    if (this.dirty) this.later(PAUSE_MS)
  }

  private failed(error: Error) {
    const lasting = error instanceof Refusal && [401, 404, 413, 422].includes(error.status)
    this.tell(lasting ? { status: 'refused', message: error.message } : { status: 'offline' })
    if (!lasting) this.later(AGAIN_MS)
  }
}
