import { Anchor, Button, Container, Group, SegmentedControl, Select, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import { challenges, me } from '../api/queries'
import { Loaded } from '../parts/States'
import { useTitle } from '../parts/title'
import { Places } from '../standings/Places'
import { type Board, leaderboard, ownPlace, type Window } from '../standings/queries'

const WINDOWS = [
  { value: 'week', label: 'This week' },
  { value: 'month', label: 'This month' },
  { value: 'all', label: 'All time' },
]
const SINCE = { week: 'this week (since Monday, UTC)', month: 'this month (UTC)', all: '' }

/** Boards as links: which one, which days, which page and whether it is the one around oneself are in the address. */
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
        An easy challenge counts 10 points, a medium one 20, a hard one 40. Among equals, whoever had the
        points first stands first.
      </Text>
      <Group mt="lg" mb="md" align="end" gap="md">
        <Select
          label="Section"
          placeholder="overall"
          clearable
          searchable
          value={board.section ?? null}
          data={[...new Set(all.map(each => each.section))].sort()}
          onChange={value => set({ section: value, challenge: null })}
        />
        <Select
          label="Challenge"
          placeholder="all of them"
          clearable
          searchable
          w={260}
          value={board.challenge ?? null}
          data={all.map(each => ({ value: each.slug, label: each.title }))}
          onChange={value => set({ challenge: value, section: null })}
        />
        <SegmentedControl
          aria-label="Days"
          value={board.window}
          data={WINDOWS}
          onChange={value => set({ window: value === 'all' ? null : value })}
        />
      </Group>
      {title && board.challenge && (
        <Text mb="sm">
          Who solved{' '}
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
  const own = useQuery(ownPlace(board, account?.id))
  const top = useQuery({ ...leaderboard(board, cursor), enabled: !around })
  const query = around && account ? own : top
  const days = SINCE[board.window ?? 'all']
  return (
    <>
      <Mine place={own.data} signedIn={account !== undefined} around={around} go={go} />
      <Loaded query={query}>
        {page =>
          page.items.length === 0 ? (
            <Nothing days={days} />
          ) : (
            <>
              <Places items={page.items} me={account?.id} timed={board.challenge !== undefined} />
              <Group mt="md" justify="space-between">
                <Text size="sm" c="dimmed" role="status">
                  {page.total === 1 ? '1 person' : `${page.total.toLocaleString()} people`}
                  {days && ` ${days}`}
                </Text>
                <Group gap="xs">
                  {(cursor || around) && (
                    <Button variant="default" size="xs" onClick={() => go({})}>
                      To the top
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
      Nobody has solved anything here {days || 'yet'}.{' '}
      <Anchor component={Link} to="/catalogue">
        The first place is free.
      </Anchor>
    </Text>
  )
}

interface Own {
  place?: Awaited<ReturnType<NonNullable<ReturnType<typeof ownPlace>['queryFn']>>>
  signedIn: boolean
  around: boolean
  go: Shown['go']
}

/** One line about oneself: the place, or why there is none. Its room is kept while it comes. */
function Mine({ place, signedIn, around, go }: Own) {
  return (
    <Group mih={36} mb="xs" gap="sm">
      {!signedIn && (
        <Text size="sm" c="dimmed">
          <Link to="/sign-in?then=/leaderboard">Sign in</Link> to find yourself.
        </Text>
      )}
      {place?.mine && (
        <>
          <Text size="sm">
            You stand at place <b>{place.mine.rank.toLocaleString()}</b> of {place.total.toLocaleString()}{' '}
            with {place.mine.points} points.
          </Text>
          {!around && (
            <Button size="compact-sm" variant="light" onClick={() => go({ around: 'me' })}>
              Find me
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

const WITHOUT = {
  guest: 'You are a guest: what you solve appears here once you make an account.',
  unlisted: 'You chose not to be listed. Your profile is where to change that.',
  nothing_solved: 'You have solved nothing of this yet.',
}
