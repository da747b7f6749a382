/** Tells when the page of a quiz is left and entered, if that is recorded; of a challenge it is told with its drafts. */
import { useEffect } from 'react'
import { api, Refusal, told } from '../api/client'
import { freshKey } from '../api/key'
import type { Participation } from '../api/taking'
import { keepNoticed, noticed } from './storage'

const AT_ONCE = 200
// A connection that never comes back shall not fill the storage.
const MOST_KEPT = 2000

const passing = (error: unknown) => !(error instanceof Refusal) || error.status === 0 || error.status >= 500

export function useNoticing({ id, recorded }: Participation, position: number, closed: boolean) {
  const wanted = recorded.includes('focus') && !closed
  useEffect(() => {
    if (!wanted) return
    const waiting = noticed(id, position)
    let busy = false
    const send = async () => {
      if (busy) return
      busy = true
      while (waiting.length > 0) {
        const signals = waiting.slice(0, AT_ONCE)
        try {
          const params = { path: { position } }
          const path = '/api/participation/items/{position}/signals'
          // Whoever leaves may close the page: the browser carries on with this alone.
          await told(api.POST(path, { params, body: { signals }, keepalive: true }))
        } catch (error) {
          if (passing(error)) break
        }
        waiting.splice(0, signals.length)
        keepNoticed(id, position, waiting)
      }
      busy = false
    }
    const seen = () => {
      const kind = document.visibilityState === 'hidden' ? 'blur' : 'focus'
      waiting.push({ kind, size: 0, detail: '', key: freshKey() })
      if (waiting.length > MOST_KEPT) waiting.shift()
      keepNoticed(id, position, waiting)
      send()
    }
    // What was left here when the page went, or the browser with it.
    send()
    document.addEventListener('visibilitychange', seen)
    window.addEventListener('online', send)
    return () => {
      document.removeEventListener('visibilitychange', seen)
      window.removeEventListener('online', send)
    }
  }, [wanted, id, position])
}
