import { Anchor, Checkbox, Container, Group, SegmentedControl, Select, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import { challenges, useMe } from '@/api/queries'
import { useTitle } from '@/shared/hooks/useTitle'
import { isMember } from '@/shared/pages/MembersOnly'
import { ShareButton } from '@/shared/ui/ShareButton'
import { BoardContent } from './BoardContent'
import { periodName, WINDOWS } from './periods'
import type { Board } from './requests'

/** Leaderboards. The board, the period, the page, and whether it is centred on the user are part of the URL. */
export function Component() {
  const [params, setParams] = useSearchParams()
  const wanted = (name: string) => params.get(name) ?? ''
  const window = wanted('window') || 'all'
  const board: Board = {
    section: wanted('section') || undefined,
    challenge: wanted('challenge') || undefined,
    window,
  }
  const set = (values: Record<string, string | null>) =>
    setParams(old => {
      const next = new URLSearchParams(old)
      for (const [name, value] of Object.entries({ cursor: null, around: null, ...values }))
        value ? next.set(name, value) : next.delete(name)
      return next
    })
  const all = useQuery(challenges).data ?? []
  const member = isMember(useMe())
  const title = all.find(each => each.slug === board.challenge)?.title ?? board.challenge
  useTitle(`Leaderboard${title || board.section ? `: ${title ?? board.section}` : ''}`)
  const known = WINDOWS.some(each => each.value === window)
  const query = queryOf(board)
  const feed = { path: '/api/leaderboard/feed', query }
  return (
    <Container size="md" py="xl">
      {(['atom', 'json'] as const).map(form => (
        <link
          key={form}
          rel="alternate"
          type={form === 'atom' ? 'application/atom+xml' : 'application/feed+json'}
          href={`${feed.path}.${form}${query}`}
        />
      ))}
      <Group justify="space-between" align="start">
        <Title order={1}>Leaderboard</Title>
        <ShareButton
          title={nameOf(title ?? (board.section && `Leaderboard: ${board.section}`), window)}
          page={`/leaderboard${query}`}
          feed={feed}
          image={`/api/leaderboard/embed.svg${query}`}
        />
      </Group>
      <Text c="dimmed" mt={6} maw="42rem">
        An easy challenge is worth 10 points, a medium one 20 and a hard one 40. If points are equal, the
        person who reached them first ranks higher. How fast answers are is ranked on the{' '}
        <Anchor component={Link} to="/speed" inherit underline="always">
          speed boards
        </Anchor>
        , and the{' '}
        <Anchor component={Link} to="/weekly" inherit underline="always">
          challenge of the week
        </Anchor>{' '}
        has its own board.
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
          value={window}
          data={known ? WINDOWS : [{ value: window, label: periodName(window) }, ...WINDOWS]}
          onChange={value => set({ window: value === 'all' ? null : value })}
        />
        {member && (
          <Checkbox
            label="People you follow"
            checked={wanted('people') === 'following'}
            onChange={event => set({ people: event.currentTarget.checked ? 'following' : null })}
            mb={8}
          />
        )}
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
      <BoardContent
        board={board}
        cursor={wanted('cursor')}
        around={wanted('around') === 'me'}
        followed={member && wanted('people') === 'following'}
        go={set}
      />
    </Container>
  )
}

/** The parameters that select a board, as the query of a URL. */
function queryOf({ section, challenge, window }: Board): string {
  const values = Object.entries({ section, challenge, window: window === 'all' ? undefined : window })
  const query = new URLSearchParams(values.filter((each): each is [string, string] => each[1] !== undefined))
  return query.size > 0 ? `?${query}` : ''
}

function nameOf(what: string | undefined, window: string): string {
  const period = WINDOWS.find(each => each.value === window)?.label ?? periodName(window)
  return `${what ?? 'Leaderboard'}${window === 'all' ? '' : `, ${period.toLowerCase()}`}`
}
