import { ActionIcon, Menu, Text, VisuallyHidden } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { formatPoints } from '@/shared/format/numbers'
import { useNow } from '@/shared/hooks/useNow'
import { DecisionBadge } from './DecisionBadge'
import {
  describeDuration,
  describeSignals,
  formatElapsed,
  formatRoughDuration,
  scoreWithManualPoints,
  stateOf,
} from './labels'
import css from './Monitoring.module.css'
import { ExtraTimeDialog, FinishDialog } from './ParticipationActions'
import type { Place, Row } from './requests'

interface Props {
  at: Place
  rows: Row[]
  /** How far the service's clock is ahead of the browser's, in milliseconds. */
  skew: number
  mayChange: boolean
}

const COLUMNS = [
  'Candidate',
  'Status',
  'Working on',
  'Time left',
  'Submitted',
  'Score',
  'Recorded activity',
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
            <VisuallyHidden>Actions</VisuallyHidden>
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
  const took = describeDuration(row)
  const facts = describeSignals(row)
  return (
    <tr data-running={row.finished_at ? undefined : true}>
      <td className={css.who}>
        <Link to={`../people/${row.id}`} relative="path">
          {row.name}
        </Link>
        <span className={css.soft}>
          {row.email || 'invited by link'}
          {row.number > 1 && `, attempt ${row.number}`}
        </span>
      </td>
      <td data-label="Status">
        <span className={css.state}>{stateOf(row)}</span>
        {row.decision !== 'none' && <DecisionBadge decision={row.decision} pending={row.answers_pending} />}
      </td>
      <td data-label="Working on">
        {row.finished_at ? '–' : (row.at_work?.title ?? 'reading the instructions')}
      </td>
      <td data-label="Time left" className={css.number}>
        {left === null ? (
          <span className={css.soft}>took {formatRoughDuration(took ?? 0)}</span>
        ) : (
          <span data-late={left < 300 || undefined} className={css.left}>
            {formatElapsed(left)}
          </span>
        )}
        {row.extra_s + row.given_back_s > 0 && (
          <span className={css.soft}>+{formatRoughDuration(row.extra_s + row.given_back_s)}</span>
        )}
      </td>
      <td data-label="Submitted" className={css.number}>
        {row.sent} of {row.asked}
        {row.unfinished > 0 && <span className={css.soft}>being judged</span>}
      </td>
      <td data-label="Score" className={css.number}>
        {row.unfinished > 0 && row.adjusted === 0
          ? 'being judged'
          : `${formatPoints(row.adjusted)} of ${row.points}`}
        {row.to_review > 0 && <span className={css.soft}>{row.to_review} still to review</span>}
        {scoreWithManualPoints(row) && (
          <span className={css.soft}>{formatPoints(row.score)} from the tests</span>
        )}
      </td>
      <td data-label="Recorded activity">
        {facts.length ? (
          facts.map(fact => <div key={fact}>{fact}</div>)
        ) : (
          <span className={css.soft}>none</span>
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
  return ago < SEEN_NOW_S ? 'now' : `${formatRoughDuration(ago)} ago`
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
          <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${row.name}`}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => go(`../people/${row.id}`, { relative: 'path' })}>Open report</Menu.Item>
          {mayChange && !ended && <Menu.Item onClick={() => setAsking('time')}>Change extra time</Menu.Item>}
          {mayChange && !row.finished_at && (
            <Menu.Item onClick={() => setAsking('finish')}>End now</Menu.Item>
          )}
          {!mayChange && (
            <Text size="xs" c="dimmed" px="sm" py={4}>
              Authors and owners of the team can change extra time and end an assessment.
            </Text>
          )}
        </Menu.Dropdown>
      </Menu>
      {asking === 'time' && <ExtraTimeDialog of={of} row={row} onClose={close} />}
      {asking === 'finish' && <FinishDialog of={of} row={row} onClose={close} />}
    </>
  )
}
