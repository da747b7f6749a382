/**
 * Saves one draft: in this browser at every change, on the service a moment later. A save names the version that it is based on,
 * so it never silently overwrites another device's work: on a conflict, the user sees both texts and decides.
 */
import { ApiError, api, type Schemas, unwrap } from '@/api/client'

type Kept = Schemas['DraftView']
type Local = { text: string; base: number; dirty: boolean }

export interface Draft {
  text: string
  status: 'local' | 'loading' | 'saving' | 'saved' | 'offline' | 'refused' | 'conflict'
  /** The text of another device, while there is an unresolved conflict. */
  theirs?: Kept
  previous?: Kept['previous']
  /** Why the service rejected the draft. */
  message?: string
}

export const PAUSE_MS = 1500
const AGAIN_MS = 5000
/** Browsers limit the size of requests sent while a page unloads. */
const KEEPALIVE_BYTES = 60_000
export const HERE = 'here'

const keyOf = (slug: string, owner: string) => `draft:${slug}:${owner}`

/** The account whose drafts this browser showed last, for when it is offline. */
export const LAST_OWNER = 'draft-owner'

/** Removes an account's drafts from this browser. */
export function removeDrafts(owner: string) {
  for (const key of Object.keys(localStorage))
    if (key.startsWith('draft:') && key.endsWith(`:${owner}`)) localStorage.removeItem(key)
  if (localStorage.getItem(LAST_OWNER) === owner) localStorage.removeItem(LAST_OWNER)
}

function read(slug: string, owner: string): Local | null {
  try {
    return JSON.parse(localStorage.getItem(keyOf(slug, owner)) ?? 'null') as Local | null
  } catch {
    return null
  }
}

/** The draft stored in this browser: the owner's own, or one written before they signed in. */
function recalled(slug: string, owner: string): Local | null {
  const own = read(slug, owner)
  const before = owner === HERE ? null : read(slug, HERE)
  if (!before) return own
  localStorage.removeItem(keyOf(slug, HERE))
  return before.dirty || !own ? { ...before, base: before.dirty ? 0 : before.base } : own
}

export class DraftAutosave {
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

  /** Starts syncing with the service; returns a function that stops it. */
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

  /** Call once there is an account (a guest was created): saves the local draft. */
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

  /** Resolves a conflict: `text` becomes the draft, whether mine, theirs or a merge. */
  settle(text: string) {
    const { theirs } = this.draft
    if (!theirs) return
    this.base = theirs.version
    this.dirty = text !== theirs.source
    this.tell({ text, status: 'saved', theirs: undefined })
    this.store()
    if (this.dirty) this.push()
  }

  /** Resolves the draft from before signing in: `text` becomes the draft, and the old one is deleted. */
  settlePrevious(text: string) {
    this.tell({ previous: null })
    this.change(text)
    const path = { slug: this.slug }
    unwrap(api.DELETE('/api/drafts/{slug}/previous', { params: { path } })).catch(() => undefined)
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
      // The storage is full or blocked; the service still has the draft.
    }
  }

  private later(pause: number) {
    clearTimeout(this.timer)
    if (this.remote) this.timer = setTimeout(() => (this.dirty ? this.push() : this.refresh()), pause)
  }

  /** Fetches the service's draft and compares it with the local one; saves local changes that the service does not have. */
  private async refresh() {
    if (!this.remote || this.saving || this.draft.theirs) return
    try {
      const path = { slug: this.slug }
      this.take(await unwrap(api.GET('/api/drafts/{slug}', { params: { path } })))
    } catch (error) {
      this.failed(error as Error)
    }
  }

  private take(saved: Kept) {
    if (saved.previous) this.tell({ previous: saved.previous })
    if (saved.version === this.base || saved.source === this.draft.text || saved.version === 0) {
      this.dirty = this.dirty && saved.source !== this.draft.text
      this.base = saved.version
      this.tell({ status: 'saved' })
      if (this.dirty) this.push()
    } else if (this.dirty) {
      this.tell({ status: 'conflict', theirs: saved })
    } else {
      this.base = saved.version
      this.tell({ text: saved.source, status: 'saved' })
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
      else this.saved(await unwrap(Promise.resolve({ data, error, response })), text)
    } catch (error) {
      this.saving = false
      this.failed(error instanceof ApiError ? error : new ApiError(0, 'offline', ''))
    }
  }

  private saved(saved: Kept, text: string) {
    this.base = saved.version
    this.dirty = this.draft.text !== text
    this.tell({ status: this.dirty ? 'saving' : 'saved', message: undefined })
    this.store()
    if (this.dirty) this.later(PAUSE_MS)
  }

  private failed(error: Error) {
    const lasting = error instanceof ApiError && [401, 404, 413, 422].includes(error.status)
    this.tell(lasting ? { status: 'refused', message: error.message } : { status: 'offline' })
    if (!lasting) this.later(AGAIN_MS)
  }
}
