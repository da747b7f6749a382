import { Anchor, Text } from '@mantine/core'
import { Link } from 'react-router'
import type { Schemas } from '@/api/client'
import css from './SpeedBoards.module.css'
import { formatRange } from './words'

interface Props {
  entry: Schemas['SpeedPlaceView']
  slug: string
  /** The reader's account. */
  me: string | undefined
}

/** The name of an entry's owner, as a link to the entry. */
export function EntryName({ entry, slug, me }: Props) {
  return (
    <>
      <Anchor
        component={Link}
        to={`/challenges/${slug}/speed/${entry.id}`}
        dir="auto"
        title={`True value between ${formatRange(entry.interval)}`}
      >
        {entry.name}
      </Anchor>
      {entry.account_id === me && (
        <Text span size="sm" c="dimmed">
          {' '}
          you
        </Text>
      )}
    </>
  )
}

/** A place as a number; the first three are coloured. */
export function RankMark({ rank }: { rank: number | null }) {
  return (
    <span className={css.rank} data-rank={rank}>
      {rank}
    </span>
  )
}
