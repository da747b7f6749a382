/** Whether the service can be reached: told by the browser, and by every request that fails or does not. */
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

/** A request was answered with this status; 0 if it never arrived. */
export function answered(status: number) {
  if (status === 0) return become(navigator.onLine ? 'away' : 'offline')
  // What was on its way when the connection went proves nothing; a service on this very machine is asked once more in vain.
  const doubtful = present === 'offline' && !navigator.onLine
  become(AT_THE_DOOR.includes(status) ? 'restarting' : 'fine')
  if (doubtful && present !== 'restarting') asking = window.setTimeout(probe, ASK_AGAIN_MS)
}

/** Asks whether the service is back. */
export async function probe() {
  window.clearTimeout(asking)
  try {
    answered((await fetch('/api/health', { cache: 'no-store' })).status)
  } catch {
    answered(0)
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
