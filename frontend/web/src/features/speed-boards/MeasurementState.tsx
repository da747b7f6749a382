import { Anchor, Text } from '@mantine/core'
import { Link } from 'react-router'
import { StatusBadge } from '@/shared/ui/StatusBadge'
import type { Measurement } from './requests'
import css from './SpeedBoards.module.css'
import { describeSpeed, explainState, type Quantity, STATES } from './words'

/** The half-width at which a measurement ends, and the one at which its progress begins. */
const [GOAL, START] = [0.03, 0.5]

/** What became of an answer that was sent to be measured. It is announced when it changes. */
export function MeasurementState({ found, quantity }: { found: Measurement; quantity: Quantity }) {
  const width = found.state === 'running' || found.state === 'confirming' ? found.half_width : null
  return (
    <div role="status">
      <StatusBadge state={BADGES[found.state]}>{STATES[found.state]}</StatusBadge>{' '}
      {found.interval && (
        <Text span>
          <Anchor component={Link} to={`/challenges/${found.slug}/speed/${found.id}`} underline="always">
            Your last answer
          </Anchor>{' '}
          {describeSpeed(found.interval.ratio, quantity)}.{' '}
        </Text>
      )}
      <Text span>{explainState(found)}</Text>
      {width !== null && (
        <div className={css.progress} aria-hidden="true">
          <div style={{ width: `${100 * done(width)}%` }} />
        </div>
      )}
    </div>
  )
}

/** The share of a measurement that is done: its interval narrows with the square root of the number of pairs. */
const done = (width: number) =>
  Math.min(
    1,
    Math.max(0.04, (GOAL / width) ** 2),
    Math.max(0.04, Math.log(START / width) / Math.log(START / GOAL)),
  )

const BADGES: Record<Measurement['state'], string> = {
  waiting: 'open',
  running: 'open',
  confirming: 'open',
  ranked: 'accepted',
  beaten: 'accepted',
  not_ranked: 'declined',
  flagged: 'open',
  withdrawn: 'declined',
  failed: 'declined',
  fault: 'declined',
  cancelled: 'declined',
}
