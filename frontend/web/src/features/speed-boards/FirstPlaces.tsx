import { Anchor, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { useMe } from '@/api/queries'
import { Loaded } from '@/shared/ui/QueryStates'
import { EntryName, RankMark } from './EntryName'
import { IntervalPlot } from './IntervalPlot'
import { speedBoard } from './requests'
import { LEAD, MEANING } from './words'

const SHOWN = 5

/** The first places of a challenge's current speed board, with a link to the whole board. */
export function FirstPlaces({ slug }: { slug: string }) {
  const account = useMe()?.id
  return (
    <Loaded query={useQuery(speedBoard(slug, '', ''))}>
      {page => (
        <>
          {page.items.length > 0 ? (
            <>
              <Text size="sm" c="dimmed" mb="sm">
                {LEAD[page.quantity]}. {MEANING}
              </Text>
              <IntervalPlot
                label={`First places: ${page.title}`}
                rows={page.items.slice(0, SHOWN).map(each => ({
                  key: each.id,
                  mark: <RankMark rank={each.rank} />,
                  name: <EntryName entry={each} slug={slug} me={account} />,
                  interval: each.interval,
                  mine: each.account_id === account,
                }))}
              />
            </>
          ) : (
            <Text c="dimmed">No answer has a place on its speed board yet.</Text>
          )}
          <Anchor component={Link} to={`/challenges/${slug}/speed`} size="sm" mt="xs" display="inline-block">
            {page.total > SHOWN
              ? `All ${page.total.toLocaleString()} entries of the speed board`
              : 'Open the speed board'}
          </Anchor>
        </>
      )}
    </Loaded>
  )
}
