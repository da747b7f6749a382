/** Tells when the page of a quiz is left and entered, if that is recorded; of a challenge it is told with its drafts. */
import { useEffect } from 'react'
import { api, Refusal, told } from '../api/client'
import { freshKey } from '../api/key'
import type { Participation } from '../api/taking'
import type { Signal } from './batches'

const AT_ONCE = 200

const passing = (error: unknown) => !(error instanceof Refusal) || error.status === 0 || error.status >= 500

export function useNoticing({ recorded }: Participation, position: number, closed: boolean) {
  const wanted = recorded.includes('focus') && !closed
  useEffect(() => {
    if (!wanted) return
    const waiting: Signal[] = []
    let busy = false
    const send = async () => {
      if (busy) return
      busy = true
      while (waiting.length > 0) {
        const signals = waiting.splice(0, AT_ONCE)
        try {
          const params = { path: { position } }
          const path = '/api/participation/items/{position}/signals'
          // Whoever leaves may close the page: the browser carries on with this alone.
          await told(api.POST(path, { params, body: { signals }, keepalive: true }))
        } catch (error) {
          if (!passing(error)) continue
          waiting.unshift(...signals)
          break
        }
      }
      busy = false
    }
    const seen = () => {
      const kind = document.visibilityState === 'hidden' ? 'blur' : 'focus'
      waiting.push({ kind, size: 0, detail: '', key: freshKey() })
      send()
    }
    document.addEventListener('visibilitychange', seen)
    window.addEventListener('online', send)
    return () => {
      document.removeEventListener('visibilitychange', seen)
      window.removeEventListener('online', send)
    }
  }, [wanted, position])
}
