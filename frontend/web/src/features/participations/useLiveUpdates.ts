/** Follows changes of the participation that this page did not make: more time, the end, a verdict, another device. */
import { useEffect } from 'react'

const AGAIN_MS = 10_000

/** Calls `onNews` at every change. `onHeard(false)` means that the event stream is down and the caller must poll. */
export function useLiveUpdates(enabled: boolean, onNews: () => void, onHeard: (heard: boolean) => void) {
  useEffect(() => {
    if (!enabled) return
    let stream: EventSource | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const close = () => {
      stream?.close()
      clearTimeout(timer)
    }
    const open = () => {
      close()
      stream = new EventSource('/api/participation/events')
      const made = stream
      made.onopen = () => onHeard(true)
      made.onerror = () => {
        onHeard(false)
        if (made.readyState === EventSource.CLOSED) timer = setTimeout(open, AGAIN_MS)
      }
      made.addEventListener('state', onNews)
      made.addEventListener('taken_over', () => {
        close()
        onNews()
      })
    }
    const lost = () => onHeard(false)
    window.addEventListener('online', open)
    window.addEventListener('offline', lost)
    open()
    return () => {
      close()
      onHeard(false)
      window.removeEventListener('online', open)
      window.removeEventListener('offline', lost)
    }
  }, [enabled, onNews, onHeard])
}
