import { Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { ApiError } from '@/api/client'

const SECOND_MS = 1000

/** Counts down until a refused request may be retried. */
export function RetryCountdown({ error }: { error: Error }) {
  const at = error instanceof ApiError ? error.again : undefined
  const [now, setNow] = useState(Date.now)
  const over = at !== undefined && now >= at
  useEffect(() => {
    if (at === undefined || over) return
    const ticking = setInterval(() => setNow(Date.now()), SECOND_MS)
    return () => clearInterval(ticking)
  }, [at, over])
  if (at === undefined) return null
  return (
    <Text size="sm" fw={500} mt={4} role="timer">
      {sentence((at - now) / SECOND_MS)}
    </Text>
  )
}

function sentence(seconds: number): string {
  if (seconds <= 0) return 'You can try again now.'
  const whole = Math.ceil(seconds)
  if (whole < 60) return `You can try again in ${whole} s.`
  const minutes = Math.floor(whole / 60)
  if (minutes < 60) return `You can try again in ${minutes} min ${whole % 60} s.`
  return `You can try again in ${Math.floor(minutes / 60)} h ${minutes % 60} min.`
}
