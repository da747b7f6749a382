/** Tracks whether the service can be reached, from the browser's online state and from the outcome of every request. */
import { useSyncExternalStore } from 'react'

export type Connection = 'fine' | 'offline' | 'away' | 'restarting'

const ASK_AGAIN_MS = 3000
const AT_THE_DOOR = [502, 503, 504]
const listeners = new Set<() => void>()
let present: Connection = navigator.onLine ? 'fine' : 'offline'
let asking: number | undefined

function become(next: Connection) {
  if (next === present) return
  present = next
  window.clearTimeout(asking)
  if (next !== 'fine') asking = window.setTimeout(probe, ASK_AGAIN_MS)
  for (const each of listeners) each()
}

/** Records the status of a response; 0 if the request never arrived. */
export function reportStatus(status: number) {
  if (status === 0) return become(navigator.onLine ? 'away' : 'offline')
  // A response that was in flight when the connection dropped proves nothing, so probe again. If the service runs on this
  // machine, this costs one extra request.
  const doubtful = present === 'offline' && !navigator.onLine
  become(AT_THE_DOOR.includes(status) ? 'restarting' : 'fine')
  if (doubtful && present !== 'restarting') asking = window.setTimeout(probe, ASK_AGAIN_MS)
}

/** Checks whether the service can be reached again. */
export async function probe() {
  window.clearTimeout(asking)
  try {
    reportStatus((await fetch('/api/health', { cache: 'no-store' })).status)
  } catch {
    reportStatus(0)
  }
  if (present !== 'fine') asking = window.setTimeout(probe, ASK_AGAIN_MS)
}

window.addEventListener('offline', () => become('offline'))
window.addEventListener('online', probe)

export function useConnection(): Connection {
  return useSyncExternalStore(
    listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => present,
  )
}
