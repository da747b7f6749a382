/**
 * Tracks whether the page is in front: it reports a blur if its tab is hidden or another window gets the focus, and a focus once
 * that is over. A reload does not count. If the page was closed for longer, that is reported when it opens again in the same tab.
 */
const SETTLES_MS = 300
const RELOAD_MS = 10_000
const CLOSED = 'gradus.closed'

type Note = (kind: 'blur' | 'focus', detail: string) => void

export function watchAttention(note: Note): () => void {
  let away: 'tab' | 'window' | null = null
  let going = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const leave = (how: 'tab' | 'window') => {
    if (away || going) return
    away = how
    note('blur', how === 'tab' ? 'tab hidden' : 'another window in front')
  }
  const back = () => {
    if (!away) return
    away = null
    note('focus', '')
  }
  const seen = () => {
    if (document.visibilityState === 'hidden') leave('tab')
    else if (away === 'tab') back()
  }
  // Switching tabs also blurs the window, so wait a moment to tell the two apart.
  const blurred = () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      if (document.visibilityState === 'visible' && !document.hasFocus()) leave('window')
    }, SETTLES_MS)
  }
  const hide = () => {
    going = true
    sessionStorage.setItem(CLOSED, String(Date.now()))
  }
  const show = () => {
    going = false
  }
  document.addEventListener('visibilitychange', seen)
  window.addEventListener('blur', blurred)
  window.addEventListener('focus', back)
  window.addEventListener('pagehide', hide)
  window.addEventListener('pageshow', show)
  return () => {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', seen)
    window.removeEventListener('blur', blurred)
    window.removeEventListener('focus', back)
    window.removeEventListener('pagehide', hide)
    window.removeEventListener('pageshow', show)
  }
}

/** How long the page was closed in this tab, as text; empty after a reload. Only the first call returns it. */
export function describeClosedTime(): string {
  const closed = Number(sessionStorage.getItem(CLOSED) ?? 0)
  sessionStorage.removeItem(CLOSED)
  const passed = Date.now() - closed
  return closed && passed > RELOAD_MS ? `page closed for ${Math.round(passed / 1000)} s` : ''
}
