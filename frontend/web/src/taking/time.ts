/**
 * The service's clock. Two clocks of this browser carry it on: the one of the wall, which goes on in sleep but may be set,
 * and a steady one, which cannot be set but may stand still in sleep. Where they disagree the service is asked again.
 */
import { useEffect, useState } from 'react'

const [SECOND_MS, TICK_MS, JUMP_MS] = [1000, 500, 1500]
let known = { server: Date.now(), wall: Date.now(), steady: performance.now() }

/** The service told its time just now. */
export function heard(moment: string) {
  known = { server: Date.parse(moment), wall: Date.now(), steady: performance.now() }
}

const passed = () => [Date.now() - known.wall, performance.now() - known.steady] as const

/** The present moment of the service, in milliseconds. Rather too late than too early. */
export const serverNow = (): number => known.server + Math.max(...passed())

/** Whether this browser slept, or its clock was set, since the service told its time. */
export function jumped(): boolean {
  const [wall, steady] = passed()
  return Math.abs(wall - steady) > JUMP_MS
}

const secondsTo = (moment: number) => Math.max(0, Math.ceil((moment - serverNow()) / SECOND_MS))

/** Whole seconds until a moment. `onJump`: this browser's idea of the time cannot be relied on. */
export function useLeft(moment: string, onJump?: () => void): number {
  const end = Date.parse(moment)
  const [left, setLeft] = useState(() => secondsTo(end))
  useEffect(() => {
    const tick = () => {
      if (jumped()) onJump?.()
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
export function clockFace(seconds: number): string {
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

/** A moment in this browser's zone, which it names. */
export const fullMoment = (moment: string | number) => date.format(new Date(moment))
export const hourOf = (moment: string | number) => hour.format(new Date(moment))

/** 90 is «1 hour and 30 minutes». */
export function duration(minutes: number): string {
  const named = (count: number, name: string) => (count ? `${count} ${name}${count === 1 ? '' : 's'}` : '')
  const parts = [named(Math.floor(minutes / 60), 'hour'), named(minutes % 60, 'minute')]
  return parts.filter(Boolean).join(' and ')
}
