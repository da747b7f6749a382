import { Anchor, Button, Container, Group, SegmentedControl, Select, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import type { Schemas } from '@/api/client'
import { challenges, me } from '@/api/queries'
import { formatOrdinal, pluralize } from '@/shared/format/numbers'
import { useTitle } from '@/shared/hooks/useTitle'
import { Loaded } from '@/shared/ui/QueryStates'
import { RankingTable } from './RankingTable'
import { type Board, leaderboard, ownRank, type Window } from './requests'

const WINDOWS = [
  { value: 'week', label: 'This week' },
  { value: 'month', label: 'This month' },
  { value: 'all', label: 'All time' },
]
const SINCE = { week: 'this week (since Monday, UTC)', month: 'this month (UTC)', all: '' }

/** Leaderboards. The board, the period, the page, and whether it is centred on the user are part of the URL. */
export function Component() {
  const [params, setParams] = useSearchParams()
  const wanted = (name: string) => params.get(name) ?? ''
  const board: Board = {
    section: wanted('section') || undefined,
    challenge: wanted('challenge') || undefined,
    window: (wanted('window') || 'all') as Window,
  }
  const set = (values: Record<string, string | null>) =>
    setParams(old => {
      const next = new URLSearchParams(old)
      for (const [name, value] of Object.entries({ cursor: null, around: null, ...values }))
        value ? next.set(name, value) : next.delete(name)
      return next
    })
  const all = useQuery(challenges).data ?? []
  const title = all.find(each => each.slug === board.challenge)?.title ?? board.challenge
  useTitle(`Leaderboard${title || board.section ? `: ${title ?? board.section}` : ''}`)
  return (
    <Container size="md" py="xl">
      <Title order={1}>Leaderboard</Title>
      <Text c="dimmed" mt={6} maw="42rem">
        An easy challenge is worth 10 points, a medium one 20 and a hard one 40. If points are equal, the
        person who reached them first ranks higher. How fast answers are is ranked on the{' '}
        <Anchor component={Link} to="/speed" underline="always">
          speed boards
        </Anchor>
        .
      </Text>
      <Group mt="lg" mb="md" align="end" gap="md">
        <Select
          label="Section"
          placeholder="All sections"
          clearable
          searchable
          value={board.section ?? null}
          data={[...new Set(all.map(each => each.section))].sort()}
          onChange={value => set({ section: value, challenge: null })}
        />
        <Select
          label="Challenge"
          placeholder="All challenges"
          clearable
          searchable
          w={260}
          value={board.challenge ?? null}
          data={all.map(each => ({ value: each.slug, label: each.title }))}
          onChange={value => set({ challenge: value, section: null })}
        />
        <SegmentedControl
          aria-label="Period"
          value={board.window}
          data={WINDOWS}
          onChange={value => set({ window: value === 'all' ? null : value })}
        />
      </Group>
      {title && board.challenge && (
        <Text mb="sm">
          Ranked by who solved{' '}
          <Anchor component={Link} to={`/challenges/${board.challenge}`}>
            {title}
          </Anchor>{' '}
          first.
        </Text>
      )}
      <Pages board={board} cursor={wanted('cursor')} around={wanted('around') === 'me'} go={set} />
    </Container>
  )
}

interface Shown {
  board: Board
  cursor: string
  around: boolean
  go: (values: Record<string, string | null>) => void
}

function Pages({ board, cursor, around, go }: Shown) {
  const account = useQuery(me).data ?? undefined
  const own = useQuery(ownRank(board, account?.id))
  const top = useQuery({ ...leaderboard(board, cursor), enabled: !around })
  const query = around && account ? own : top
  const days = SINCE[board.window ?? 'all']
  return (
    <>
      <Mine
        place={own.data}
        signedIn={account !== undefined}
        timed={board.challenge !== undefined}
        around={around}
        go={go}
      />
      <Loaded query={query}>
        {page =>
          page.items.length === 0 ? (
            <Nothing days={days} />
          ) : (
            <>
              <RankingTable items={page.items} me={account?.id} timed={board.challenge !== undefined} />
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

function Nothing({ days }: { days: string }) {
  return (
    <Text my="xl">
      No one has solved a challenge here {days || 'yet'}.{' '}
      <Anchor component={Link} to="/catalogue">
        Be the first.
      </Anchor>
    </Text>
  )
}

type Place = Schemas['PlaceView']

interface Own {
  place?: Awaited<ReturnType<NonNullable<ReturnType<typeof ownRank>['queryFn']>>>
  signedIn: boolean
  /** Whether it is the board of one challenge, on which everybody has the same points. */
  timed: boolean
  around: boolean
  go: Shown['go']
}

/** One line about the user: their rank, or why they have none. Its space is reserved while it loads. */
function Mine({ place, signedIn, timed, around, go }: Own) {
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
            You are <b>{formatOrdinal(place.mine.rank)}</b> of {place.total.toLocaleString()} with{' '}
            {pluralize(place.mine.points, 'point')}
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
