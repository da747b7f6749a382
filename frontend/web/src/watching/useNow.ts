import { useEffect, useState } from 'react'

const SECOND_MS = 1000

/** This moment, in milliseconds, a second at a time. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS)
    return () => clearInterval(timer)
  }, [])
  return now
}
