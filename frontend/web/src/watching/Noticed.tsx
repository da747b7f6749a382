import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Loaded } from '../parts/States'
import { type Participation, type Person, type Signal, signals } from './queries'
import css from './Report.module.css'
import { atClock, counted, lasting, pasted } from './words'

const AT_FIRST = 20
const RECORDED = {
  edits: 'edits',
  pastes: 'pastes',
  focus: 'leaving the page',
  devices: 'changes of device',
} as const

/** What was noticed, as facts with times and sizes. */
export function Noticed({ of, found }: { of: Person; found: Participation }) {
  const query = useQuery(signals(of))
  const told = found.recorded.map(each => RECORDED[each]).join(', ')
  return (
    <>
      <Text size="sm" c="dimmed" mb="sm" maw="44rem">
        {told
          ? `Recorded here, as the candidate was told: ${told}. These are facts; none of them says why.`
          : 'This assessment records nothing of how somebody works, as the candidate was told.'}
      </Text>
      <Loaded query={query}>{all => <Table all={all} found={found} />}</Loaded>
    </>
  )
}

function Table({ all, found }: { all: Signal[]; found: Participation }) {
  const [shown, setShown] = useState(AT_FIRST)
  const facts = all.flatMap((signal, place) => {
    const told = spoken(signal, place, all)
    return told ? [{ signal, told }] : []
  })
  if (facts.length === 0) return <Text size="sm">Nothing was noticed.</Text>
  const begun = Date.parse(found.started_at)
  const title = (position: number) => found.items.find(item => item.position === position)?.title ?? ''
  return (
    <>
      <table className={css.facts}>
        <thead>
          <tr>
            <th scope="col">After the start</th>
            <th scope="col">At</th>
            <th scope="col">What</th>
            <th scope="col">Item</th>
          </tr>
        </thead>
        <tbody>
          {facts.slice(0, shown).map(({ signal, told }) => (
            <tr key={signal.id}>
              <td>{counted((Date.parse(signal.at) - begun) / 1000)}</td>
              <td>{atClock(signal.at)}</td>
              <td>{told}</td>
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

/** A fact in words; coming back is told with the leaving before it. */
function spoken(signal: Signal, place: number, all: Signal[]): string | null {
  if (signal.kind === 'paste') return `Pasted ${pasted(signal)}`
  if (signal.kind === 'device') return signal.detail ? `Another device: ${signal.detail}` : 'Another device'
  if (signal.kind === 'focus') return null
  const back = all.find((each, later) => later > place && (each.kind === 'focus' || each.kind === 'blur'))
  if (back?.kind !== 'focus') return 'Left the page'
  return `Left the page for ${lasting((Date.parse(back.at) - Date.parse(signal.at)) / 1000)}`
}
