import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { browserName } from '@/shared/format/browserName'
import { Loaded } from '@/shared/ui/QueryStates'
import {
  describePaste,
  describeRefused,
  formatClockTime,
  formatElapsed,
  formatRoughDuration,
} from '../labels'
import { type Participation, type Person, type Signal, signals } from '../requests'
import css from './CandidateReport.module.css'

const AT_FIRST = 20
const RECORDED = {
  edits: 'edits',
  pastes: 'pastes',
  focus: 'leaving the page',
  devices: 'device changes',
} as const

/** Recorded activity, as facts with times and sizes. */
export function AttentionLog({ of, found }: { of: Person; found: Participation }) {
  const query = useQuery(signals(of))
  const recorded = found.recorded.map(each => RECORDED[each]).join(', ')
  return (
    <>
      <Text size="sm" c="dimmed" mb="sm" maw="44rem">
        {recorded
          ? `This assessment records: ${recorded}. Candidates see this list before they start. An event shows what happened, not why.`
          : 'This assessment does not record how candidates work.'}
      </Text>
      <Loaded query={query}>{all => <Table all={all} found={found} />}</Loaded>
    </>
  )
}

function Table({ all, found }: { all: Signal[]; found: Participation }) {
  const [shown, setShown] = useState(AT_FIRST)
  const facts = all.flatMap((signal, place) => {
    const text = spoken(signal, place, all)
    return text ? [{ signal, text }] : []
  })
  if (facts.length === 0) return <Text size="sm">Nothing was recorded.</Text>
  const begun = Date.parse(found.started_at)
  const title = (position: number) => found.items.find(item => item.position === position)?.title ?? ''
  return (
    <>
      <table className={css.facts}>
        <thead>
          <tr>
            <th scope="col">Elapsed</th>
            <th scope="col">Time</th>
            <th scope="col">Event</th>
            <th scope="col">Item</th>
          </tr>
        </thead>
        <tbody>
          {facts.slice(0, shown).map(({ signal, text }) => (
            <tr key={signal.id}>
              <td>{formatElapsed((Date.parse(signal.at) - begun) / 1000)}</td>
              <td>{formatClockTime(signal.at)}</td>
              <td>{text}</td>
              <td>{title(signal.position)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {facts.length > shown && (
        <Button mt="sm" size="xs" variant="default" onClick={() => setShown(facts.length)}>
          Show all {facts.length}
        </Button>
      )}
    </>
  )
}

/** A signal as text. A return is reported together with the departure before it, so it has no text of its own. */
function spoken(signal: Signal, place: number, all: Signal[]): string | null {
  if (signal.kind === 'paste') return `Pasted ${describePaste(signal)}`
  if (signal.kind === 'device')
    return signal.detail ? `Continued in ${browserName(signal.detail)}` : 'Continued on another device'
  if (signal.kind === 'practice') return describeRefused(signal.detail)
  if (signal.kind === 'focus') return null
  const back = all.find((each, later) => later > place && (each.kind === 'focus' || each.kind === 'blur'))
  const how = signal.detail ? ` (${signal.detail})` : ''
  // The text already says how long the page was closed: both signals were sent when it was opened again.
  if (back?.kind !== 'focus' || signal.detail.startsWith('page closed')) return `Left the page${how}`
  return `Left the page${how} for ${formatRoughDuration((Date.parse(back.at) - Date.parse(signal.at)) / 1000)}`
}
