/**
 * Estimates the service's time between responses with two clocks of the browser: the wall clock, which runs during sleep but can
 * be set, and the monotonic clock, which cannot be set but may stop during sleep. If they disagree, the caller asks the service
 * again.
 */
import { useEffect, useState } from 'react'

const [SECOND_MS, TICK_MS, JUMP_MS] = [1000, 500, 1500]
let known = { server: Date.now(), wall: Date.now(), steady: performance.now() }

/** Call with the service's time as soon as a response arrives. */
export function syncClock(moment: string) {
  known = { server: Date.parse(moment), wall: Date.now(), steady: performance.now() }
}

const passed = () => [Date.now() - known.wall, performance.now() - known.steady] as const

/** The service's current time in milliseconds; if in doubt, too late rather than too early. */
export const serverNow = (): number => known.server + Math.max(...passed())

/** Whether the computer slept or its clock was set since the last `syncClock`. */
export function clockJumped(): boolean {
  const [wall, steady] = passed()
  return Math.abs(wall - steady) > JUMP_MS
}

const secondsTo = (moment: number) => Math.max(0, Math.ceil((moment - serverNow()) / SECOND_MS))

/** Whole seconds until `moment`. Calls `onJump` if the browser's clocks disagree and cannot be relied on. */
export function useSecondsLeft(moment: string, onJump?: () => void): number {
  const end = Date.parse(moment)
  const [left, setLeft] = useState(() => secondsTo(end))
  useEffect(() => {
    const tick = () => {
      if (clockJumped()) onJump?.()
      setLeft(secondsTo(end))
    }
    tick()
    const timer = setInterval(tick, TICK_MS)
    document.addEventListener('visibilitychange', tick)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', tick)
    }
  }, [end, onJump])
  return left
}

/** 65 is `1:05`, 3700 is `1:01:40`. */
export function formatClock(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)]
  const two = (value: number) => String(value).padStart(2, '0')
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`
}

const date = new Intl.DateTimeFormat(undefined, {
  weekday: 'short',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
})
const hour = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', timeZoneName: 'short' })

/** Formats a time in the browser's time zone, with the zone's name. */
export const formatDateTime = (moment: string | number) => date.format(new Date(moment))
export const formatTime = (moment: string | number) => hour.format(new Date(moment))

/** 90 is «1 hour and 30 minutes». */
export function formatDuration(minutes: number): string {
  const named = (count: number, name: string) => (count ? `${count} ${name}${count === 1 ? '' : 's'}` : '')
  const parts = [named(Math.floor(minutes / 60), 'hour'), named(minutes % 60, 'minute')]
  return parts.filter(Boolean).join(' and ')
}
