/** Reports when the page of a quiz loses or gains focus, if that is recorded. For challenges, the drafts carry these signals. */
import { useEffect } from 'react'
import { ApiError, api, unwrap } from '@/api/client'
import { newIdempotencyKey } from '@/api/idempotencyKey'
import type { Participation } from '../requests'
import { describeClosedTime, watchAttention } from './attention'
import { storedSignals, storeSignals } from './storage'

const AT_ONCE = 200
// Limits the storage in case the connection never comes back.
const MOST_KEPT = 2000

const passing = (error: unknown) => !(error instanceof ApiError) || error.status === 0 || error.status >= 500

export function useAttention({ id, recorded }: Participation, position: number, closed: boolean) {
  const wanted = recorded.includes('focus') && !closed
  useEffect(() => {
    if (!wanted) return
    const waiting = storedSignals(id, position)
    let busy = false
    const send = async () => {
      if (busy) return
      busy = true
      while (waiting.length > 0) {
        const signals = waiting.slice(0, AT_ONCE)
        try {
          const params = { path: { position } }
          const path = '/api/participation/items/{position}/signals'
          // The page may be closing: `keepalive` lets the browser complete the request.
          await unwrap(api.POST(path, { params, body: { signals }, keepalive: true }))
        } catch (error) {
          if (passing(error)) break
        }
        waiting.splice(0, signals.length)
        storeSignals(id, position, waiting)
      }
      busy = false
    }
    const seen = (kind: 'blur' | 'focus', detail: string) => {
      waiting.push({ kind, size: 0, detail, key: newIdempotencyKey() })
      if (waiting.length > MOST_KEPT) waiting.shift()
      storeSignals(id, position, waiting)
      send()
    }
    const closed = describeClosedTime()
    if (closed) {
      seen('blur', closed)
      seen('focus', '')
    }
    // Send what remained when the page or the browser was closed.
    send()
    const unwatch = watchAttention(seen)
    window.addEventListener('online', send)
    return () => {
      unwatch()
      window.removeEventListener('online', send)
    }
  }, [wanted, id, position])
}
