import { useState } from 'react'
import { newIdempotencyKey } from '@/api/idempotencyKey'

/**
 * A text that is not sent yet, kept in this tab of the browser, and the key to send it with. Sending the same text again with its
 * key stores it once.
 */
export function useUnsent(place: string) {
  const name = `unsent ${place}`
  const [text, setText] = useState(() => sessionStorage.getItem(name) ?? '')
  const [key, setKey] = useState(newIdempotencyKey)
  const change = (changed: string) => {
    setText(changed)
    setKey(newIdempotencyKey())
    if (changed) sessionStorage.setItem(name, changed)
    else sessionStorage.removeItem(name)
  }
  return { text, key, change }
}
