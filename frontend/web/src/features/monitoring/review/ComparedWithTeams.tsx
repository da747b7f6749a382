import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { formatPercent } from '@/shared/format/numbers'
import { formatRoughDuration } from '../labels'
import { comparedItems, type Item, type Person } from '../requests'

/** How an answer compares with those of all teams that share their results; nothing if it cannot be compared. */
export function ComparedWithTeams({ of, item }: { of: Person; item: Item }) {
  const found = useQuery(comparedItems(of)).data?.find(each => each.position === item.position)
  if (!found) return null
  return (
    <Text size="sm" c="dimmed">
      Better than {formatPercent(found.better_than)} of {found.people} candidates of {found.teams} teams;
      their median time is {formatRoughDuration(found.median_s)}.
    </Text>
  )
}
