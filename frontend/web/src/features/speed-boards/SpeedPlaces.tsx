import { Anchor, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { Schemas } from '@/api/client'
import { challenges } from '@/api/queries'
import css from './SpeedBoards.module.css'
import { formatSpeed } from './words'

/** The places of an account on speed boards. */
export function SpeedPlaces({ items }: { items: Schemas['ProfileSpeed'][] }) {
  const all = useQuery(challenges).data ?? []
  return (
    <ul className={css.boards} style={{ marginTop: 0 }}>
      {items.map(each => (
        <li key={each.slug} className={css.board}>
          <Anchor component={Link} to={`/challenges/${each.slug}/speed/${each.entry_id}`} fw={600}>
            {all.find(found => found.slug === each.slug)?.title ?? each.slug}
          </Anchor>
          <Text size="sm">
            Place {each.rank} of {each.total}
          </Text>
          <Text size="sm" c="dimmed">
            {formatSpeed(each.ratio, each.quantity)}
          </Text>
        </li>
      ))}
    </ul>
  )
}
