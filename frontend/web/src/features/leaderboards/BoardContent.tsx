import { Anchor, Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { Schemas } from '@/api/client'
import { me } from '@/api/queries'
import { formatOrdinal, pluralize } from '@/shared/format/numbers'
import { Loaded } from '@/shared/ui/QueryStates'
import { duringPeriod } from './periods'
import { RankingTable } from './RankingTable'
import { type Board, boardOfFollowed, leaderboard, ownRank } from './requests'

interface Shown {
  board: Board
  cursor: string
  around: boolean
  /** Whether the board contains only the user and the people that the user follows. */
  followed: boolean
  go: (values: Record<string, string | null>) => void
}

/** One page of a board, with a line about the user above it. */
export function BoardContent({ board, cursor, around, followed, go }: Shown) {
  const account = useQuery(me).data ?? undefined
  const own = useQuery(ownRank(board, account?.id, followed))
  const top = useQuery({ ...leaderboard(board, cursor), enabled: !around && !followed })
  const friends = useQuery({
    ...boardOfFollowed(board, cursor, account?.id),
    enabled: followed && !around && account !== undefined,
  })
  const query = around && account ? own : followed ? friends : top
  const days = duringPeriod(board.window ?? 'all')
  const timed = board.challenge !== undefined
  return (
    <>
      <Mine
        place={own.data}
        signedIn={account !== undefined}
        timed={timed}
        around={around}
        followed={followed}
        go={go}
      />
      <Loaded query={query}>
        {page =>
          page.items.length === 0 ? (
            <Nothing days={days} followed={followed} />
          ) : (
            <>
              <RankingTable items={page.items} me={account?.id} timed={timed} followed={followed} />
              <Group mt="md" justify="space-between">
                <Text size="sm" c="dimmed" role="status">
                  {page.total === 1 ? '1 person' : `${page.total.toLocaleString()} people`}
                  {days && ` ${days}`}
                </Text>
                <Group gap="xs">
                  {(cursor || around) && (
                    <Button variant="default" size="xs" onClick={() => go({})}>
                      First page
                    </Button>
                  )}
                  {page.next_cursor && (
                    <Button variant="default" size="xs" onClick={() => go({ cursor: page.next_cursor })}>
                      Next page
                    </Button>
                  )}
                </Group>
              </Group>
            </>
          )
        }
      </Loaded>
    </>
  )
}

function Nothing({ days, followed }: { days: string; followed: boolean }) {
  if (followed)
    return (
      <Text my="xl">
        Neither you nor the people you follow have solved a challenge here {days || 'yet'}. To follow someone,
        use the button in their row of the board or on their profile.
      </Text>
    )
  return (
    <Text my="xl">
      No one has solved a challenge here {days || 'yet'}.{' '}
      <Anchor component={Link} to="/catalogue">
        Open the catalogue
      </Anchor>
    </Text>
  )
}

type Place = Schemas['PlaceView']

interface Own extends Pick<Shown, 'around' | 'followed' | 'go'> {
  place?: Awaited<ReturnType<NonNullable<ReturnType<typeof ownRank>['queryFn']>>>
  signedIn: boolean
  /** Whether it is the board of one challenge, on which everybody has the same points. */
  timed: boolean
}

/** One line about the user: their rank, or why they have none. Its space is reserved while it loads. */
function Mine({ place, signedIn, timed, around, followed, go }: Own) {
  return (
    <Group mih={36} mb="xs" gap="sm">
      {!signedIn && (
        <Text size="sm" c="dimmed">
          <Link to="/sign-in?then=/leaderboard">Sign in</Link> to see your rank.
        </Text>
      )}
      {place?.mine && (
        <>
          <Text size="sm">
            You are <b>{formatOrdinal(place.mine.rank)}</b> of {place.total.toLocaleString()}
            {followed && place.mine.overall_rank && ` (${formatOrdinal(place.mine.overall_rank)} overall)`}{' '}
            with {pluralize(place.mine.points, 'point')}
            {!timed && behind(place.mine, place.first)}.
          </Text>
          {!around && (
            <Button size="compact-sm" variant="light" onClick={() => go({ around: 'me' })}>
              Go to my rank
            </Button>
          )}
        </>
      )}
      {place && !place.mine && (
        <Text size="sm" c="dimmed">
          {WITHOUT[place.reason ?? 'nothing_solved']}
        </Text>
      )}
    </Group>
  )
}

/** How many points a place is behind the first one. */
function behind(mine: Place, first: Place | null): string {
  if (!first || first.id === mine.id) return ''
  if (first.points === mine.points) return ', as many as 1st, who reached them earlier'
  return `, ${pluralize(first.points - mine.points, 'point')} behind 1st`
}

const WITHOUT = {
  guest: 'You are a guest. Create an account to appear on the leaderboard.',
  unlisted: 'Your profile is private. Make it public on your profile page to appear here.',
  nothing_solved: 'You have no rank here yet. Solve a challenge to appear on this leaderboard.',
}
