import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { useMe } from '@/api/queries'
import { measurementOf } from './requests'
import { explainState, formatSpeed, formatWidth, type Quantity, STATES } from './words'

interface Props {
  submission: string
  slug: string
  quantity: Quantity
}

/** What the measurement of an accepted answer says so far: one line, and one that explains it. It follows the measurement. */
export function useSpeedResult({ submission, slug, quantity }: Props) {
  const guest = useMe()?.role === 'guest'
  const { data: found, isPending } = useQuery(measurementOf(submission))
  const board = (
    <Anchor component={Link} to={`/challenges/${slug}/speed`} inherit underline="always">
      Speed board
    </Anchor>
  )
  if (isPending) return { value: '', note: null }
  if (!found)
    return {
      value: 'Not measured',
      note: guest ? 'Create an account, then submit again.' : board,
    }
  if (found.state === 'ranked' && found.interval)
    return {
      value: `Place ${found.rank} of ${found.total}`,
      note: (
        <>
          {formatSpeed(found.interval.ratio, quantity)}. {board}
        </>
      ),
    }
  const running = found.state === 'running' && found.pairs > 0
  return {
    value: found.state === 'running' || found.state === 'waiting' ? 'Measuring…' : STATES[found.state],
    note: (
      <>
        {running
          ? `${found.pairs} pairs${found.half_width === null ? '' : `, ${formatWidth(found.half_width)} so far`}.`
          : found.state === 'confirming' && found.interval
            ? `${formatSpeed(found.interval.ratio, quantity)}; measured again before it gets its place.`
            : explainState(found)}{' '}
        {board}
      </>
    ),
  }
}
