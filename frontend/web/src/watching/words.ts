/** Moments, durations and numbers as the pages for watching write them. */
import type { Participation, Row, Signal } from './queries'

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' })

export const atClock = (iso: string) => clock.format(new Date(iso))

/** 75 → «1:15», 3675 → «1:01:15»; in seconds. */
export function counted(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const two = (value: number) => String(value).padStart(2, '0')
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}

/** 45 → «45 s», 2590 → «43 min»; in seconds. */
export function lasting(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)} s`
  if (seconds < 3600) return `${Math.round(seconds / 60)} min`
  return `${Math.floor(seconds / 3600)} h ${Math.round((seconds % 3600) / 60)} min`
}

export const many = (count: number, one: string, more = `${one}s`) =>
  `${count.toLocaleString()} ${count === 1 ? one : more}`

/** What a paste was: how much, and where to, if not into the answer. */
export const pasted = ({ size, detail }: Pick<Signal, 'size' | 'detail'>) =>
  `${many(size, 'character')}${detail === 'snippet' ? ' into a snippet' : ''}`

/** A score with at most two digits behind the point. */
export const points = (value: number) => String(Math.round(100 * value) / 100)

const ENDS = { candidate: 'Finished', deadline: 'Time over', team: 'Ended by the team' } as const

export const stateOf = (row: Pick<Row, 'finished_by'>) =>
  row.finished_by ? ENDS[row.finished_by] : 'Running'

/** How long somebody had worked, in seconds. */
export const tookOf = (row: Pick<Row, 'started_at' | 'finished_at'>) =>
  row.finished_at ? (Date.parse(row.finished_at) - Date.parse(row.started_at)) / 1000 : null

/** What was noticed, in a few words; nothing for nothing. */
export function noticed({ signals: found }: Pick<Row, 'signals'>): string[] {
  const facts: string[] = []
  if (found.pastes) facts.push(`${many(found.pastes, 'paste')} (${many(found.pasted, 'character')})`)
  if (found.left) facts.push(`left the page ${found.left === 1 ? 'once' : `${found.left} times`}`)
  if (found.devices) facts.push(many(found.devices, 'change of device', 'changes of device'))
  return facts
}

export const DECISIONS = { advance: 'Advance', hold: 'Hold', reject: 'Reject', none: 'Open' } as const

/** How far the service's clock is ahead of this browser's, in milliseconds. */
export const skewOf = (serverTime: string, receivedAt: number) => Date.parse(serverTime) - receivedAt

export const withHand = (found: Pick<Participation, 'score' | 'adjusted'>) => found.adjusted !== found.score
