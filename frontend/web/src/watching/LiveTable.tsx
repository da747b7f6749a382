import { ActionIcon, Menu, Text, VisuallyHidden } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { ExtraTime, FinishNow } from './Actions'
import { Decided } from './Decided'
import type { Place, Row } from './queries'
import { useNow } from './useNow'
import css from './Watching.module.css'
import { counted, lasting, noticed, points, stateOf, tookOf, withHand } from './words'

interface Props {
  at: Place
  rows: Row[]
  /** How far the service's clock is ahead of this one, in milliseconds. */
  skew: number
  mayChange: boolean
}

const COLUMNS = [
  'Candidate',
  'State',
  'At work on',
  'Time left',
  'Submitted',
  'Score',
  'Noticed',
  'Last seen',
]
const SEEN_NOW_S = 90

export function LiveTable({ at, rows, skew, mayChange }: Props) {
  const now = useNow() + skew
  return (
    <table className={css.table}>
      <thead>
        <tr>
          {COLUMNS.map(name => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
          <th scope="col">
            <VisuallyHidden>What can be done</VisuallyHidden>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(row => (
          <Line key={row.id} at={at} row={row} now={now} mayChange={mayChange} />
        ))}
      </tbody>
    </table>
  )
}

function Line({ at, row, now, mayChange }: { at: Place; row: Row; now: number; mayChange: boolean }) {
  const left = row.finished_at ? null : (Date.parse(row.deadline) - now) / 1000
  const took = tookOf(row)
  const facts = noticed(row)
  return (
    <tr data-running={row.finished_at ? undefined : true}>
      <td className={css.who}>
        <Link to={`../people/${row.id}`} relative="path">
          {row.name}
        </Link>
        <span className={css.soft}>
          {row.email || 'invited by a link'}
          {row.number > 1 && `, attempt ${row.number}`}
        </span>
      </td>
      <td data-label="State">
        <span className={css.state}>{stateOf(row)}</span>
        {row.decision !== 'none' && <Decided decision={row.decision} />}
      </td>
      <td data-label="At work on">
        {row.finished_at ? '–' : (row.at_work?.title ?? 'reading the instructions')}
      </td>
      <td data-label="Time left" className={css.number}>
        {left === null ? (
          <span className={css.soft}>took {lasting(took ?? 0)}</span>
        ) : (
          <span data-late={left < 300 || undefined} className={css.left}>
            {counted(left)}
          </span>
        )}
        {row.extra_s + row.given_back_s > 0 && (
          <span className={css.soft}>+{lasting(row.extra_s + row.given_back_s)}</span>
        )}
      </td>
      <td data-label="Submitted" className={css.number}>
        {row.sent} of {row.asked}
        {row.unfinished > 0 && <span className={css.soft}>judging</span>}
      </td>
      <td data-label="Score" className={css.number}>
        {points(row.adjusted)} of {row.points}
        {withHand(row) && <span className={css.soft}>{points(row.score)} by the tests</span>}
      </td>
      <td data-label="Noticed">
        {facts.length ? (
          facts.map(fact => <div key={fact}>{fact}</div>)
        ) : (
          <span className={css.soft}>nothing</span>
        )}
      </td>
      <td data-label="Last seen" className={css.soft}>
        {seen(row, now)}
      </td>
      <td className={css.act}>
        <Actions at={at} row={row} mayChange={mayChange} />
      </td>
    </tr>
  )
}

function seen(row: Row, now: number): string {
  const ago = (now - Date.parse(row.last_seen)) / 1000
  return ago < SEEN_NOW_S ? 'now' : `${lasting(ago)} ago`
}

function Actions({ at, row, mayChange }: { at: Place; row: Row; mayChange: boolean }) {
  const [asking, setAsking] = useState<'time' | 'finish'>()
  const go = useNavigate()
  const of = { ...at, id: row.id }
  const close = () => setAsking(undefined)
  const ended = row.finished_by === 'candidate' || row.finished_by === 'team'
  return (
    <>
      <Menu position="bottom-end" width={190}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={`What can be done about ${row.name}`}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => go(`../people/${row.id}`, { relative: 'path' })}>
            Open the report
          </Menu.Item>
          {mayChange && !ended && <Menu.Item onClick={() => setAsking('time')}>Extra time</Menu.Item>}
          {mayChange && !row.finished_at && (
            <Menu.Item onClick={() => setAsking('finish')}>Finish now</Menu.Item>
          )}
          {!mayChange && (
            <Text size="xs" c="dimmed" px="sm" py={4}>
              Authors of the team give time and finish.
            </Text>
          )}
        </Menu.Dropdown>
      </Menu>
      {asking === 'time' && <ExtraTime of={of} row={row} onClose={close} />}
      {asking === 'finish' && <FinishNow of={of} row={row} onClose={close} />}
    </>
  )
}
