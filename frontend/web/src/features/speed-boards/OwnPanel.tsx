import { Anchor, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { useMe } from '@/api/queries'
import { MeasurementState } from './MeasurementState'
import { isLive, ownSpeed } from './requests'
import css from './SpeedBoards.module.css'
import { describeSpeed, formatRange, type Quantity } from './words'

interface Props {
  slug: string
  board: string
  quantity: Quantity
  archived: boolean
}

/** Your place on a board, and what became of your last answer. */
export function OwnPanel({ slug, board, quantity, archived }: Props) {
  const account = useMe()
  const own = useQuery(ownSpeed(slug, board, account?.id)).data
  if (account === null)
    return (
      <Text mt="md" c="dimmed">
        <Link to={`/sign-in?then=/challenges/${slug}/speed`}>Sign in</Link> to be ranked. Everyone can read
        this board.
      </Text>
    )
  if (!own) return null
  const [last] = own.attempts
  const told = last && (isLive(last) || last.id !== own.mine?.id) ? last : null
  if (!own.mine && !told) return archived ? null : <Invitation guest={account?.role === 'guest'} />
  return (
    <section className={css.own} aria-label="Your place">
      {own.mine && (
        <div>
          <div className={css.big}>
            {own.mine.rank === null ? 'Being confirmed' : `Place ${own.mine.rank} of ${own.total}`}
          </div>
          <Text>
            Your{' '}
            <Anchor component={Link} to={`/challenges/${slug}/speed/${own.mine.id}`} underline="always">
              best answer
            </Anchor>{' '}
            {describeSpeed(own.mine.interval.ratio, quantity)}; the true value lies in the range{' '}
            {formatRange(own.mine.interval)}.
          </Text>
        </div>
      )}
      {told && (
        <div className={own.mine ? css.state : undefined}>
          <MeasurementState found={told} quantity={quantity} />
        </div>
      )}
    </section>
  )
}

function Invitation({ guest }: { guest: boolean }) {
  return (
    <Text mt="md" c="dimmed">
      {guest
        ? 'Answers of guests are not measured. Create an account, then submit your answer again.'
        : 'You have no entry yet. Your next accepted answer to this challenge is measured.'}
    </Text>
  )
}
