/** Formats times, durations and numbers for the monitoring pages. */
import { pluralize } from '@/shared/format/numbers'
import type { Participation, Row, Signal } from './requests'

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' })

export const formatClockTime = (iso: string) => clock.format(new Date(iso))

/** 75 → «1:15», 3675 → «1:01:15»; in seconds. */
export function formatElapsed(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const two = (value: number) => String(value).padStart(2, '0')
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}

/** 45 → «45 s», 2590 → «43 min»; in seconds. */
export function formatRoughDuration(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)} s`
  if (seconds < 3600) return `${Math.round(seconds / 60)} min`
  return `${Math.floor(seconds / 3600)} h ${Math.round((seconds % 3600) / 60)} min`
}

/** A paste: its size, and its target if that was not the answer. */
export const describePaste = ({ size, detail }: Pick<Signal, 'size' | 'detail'>) =>
  `${pluralize(size, 'character')}${detail === 'snippet' ? ' into a snippet' : ''}`

/** What a candidate tried with an item outside of the assessment, by the feature that refused it. */
const REFUSED: Record<string, string> = {
  hints: 'Opened the hints of this item',
  verdict: 'Submitted an answer to this item, or opened one,',
  'scratch run': 'Ran a snippet with this item',
  'own input': 'Opened the page of this item',
  editorial: 'Opened the editorial of this item',
  'answers of others': 'Opened the answers of others to this item',
  discussion: 'Opened the discussion of this item',
  quiz: 'Opened this quiz',
  'mock interview': 'Started a mock interview with this item',
}

export const describeRefused = (feature: string) =>
  `${REFUSED[feature] ?? 'Opened this item'} outside of the assessment; access was refused`

const ENDS = { candidate: 'Finished', deadline: 'Time ran out', team: 'Ended by the team' } as const

export const stateOf = (row: Pick<Row, 'finished_by'>) =>
  row.finished_by ? ENDS[row.finished_by] : 'In progress'

/** How long a candidate worked, in seconds. */
export const describeDuration = (row: Pick<Row, 'started_at' | 'finished_at'>) =>
  row.finished_at ? (Date.parse(row.finished_at) - Date.parse(row.started_at)) / 1000 : null

/** Recorded signals in a few words; empty if there are none. */
export function describeSignals({ signals: found }: Pick<Row, 'signals'>): string[] {
  const facts: string[] = []
  if (found.pastes)
    facts.push(`${pluralize(found.pastes, 'paste')} (${pluralize(found.pasted, 'character')})`)
  if (found.left) facts.push(`left the page ${found.left === 1 ? 'once' : `${found.left} times`}`)
  if (found.devices) facts.push(pluralize(found.devices, 'device change'))
  return facts
}

export const DECISIONS = { advance: 'Advance', hold: 'Hold', reject: 'Reject', none: 'Undecided' } as const

/** How far the service's clock is ahead of the browser's, in milliseconds. */
export const clockSkewOf = (serverTime: string, receivedAt: number) => Date.parse(serverTime) - receivedAt

export const scoreWithManualPoints = (found: Pick<Participation, 'score' | 'adjusted'>) =>
  found.adjusted !== found.score
