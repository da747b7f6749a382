import { Anchor, Button, Container, Group, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { Schemas } from '@/api/client'
import { challenges, useMe } from '@/api/queries'
import { daysOfWeek, leaderboard, periodName, RankingTable } from '@/features/leaderboards'
import { useProgress } from '@/features/progress'
import { FirstPlaces } from '@/features/speed-boards'
import { pluralize } from '@/shared/format/numbers'
import { useNow } from '@/shared/hooks/useNow'
import { useTitle } from '@/shared/hooks/useTitle'
import { Difficulty } from '@/shared/ui/Difficulty'
import { PagedList } from '@/shared/ui/PagedList'
import { Loaded } from '@/shared/ui/QueryStates'
import { ShareButton } from '@/shared/ui/ShareButton'
import { useThisWeek, useWeeks } from './requests'
import { timeLeft } from './timeLeft'
import css from './Weekly.module.css'

type Week = Schemas['WeekView']
type Weekly = Schemas['WeeklyChallengeView']

const FIRST = 10
const FEED = '/api/weekly/feed'
const KINDS = { correctness: 'Challenge', scored: 'Scored challenge' }

/** The challenges of this week with their boards, and all past weeks. */
export function Component() {
  useTitle('Challenge of the week')
  const weeks = useWeeks()
  const now = useThisWeek()
  const image = now?.challenges[0] && `/api/leaderboard/embed.svg?${boardQuery(now, now.challenges[0])}`
  return (
    <Container size="md" py="xl">
      <link rel="alternate" type="application/atom+xml" href={`${FEED}.atom`} />
      <link rel="alternate" type="application/feed+json" href={`${FEED}.json`} />
      <Group justify="space-between" align="start">
        <Title order={1}>Challenge of the week</Title>
        <ShareButton
          title="Challenge of the week"
          page="/weekly"
          feed={{ path: FEED, query: '' }}
          image={image}
        />
      </Group>
      <Text c="dimmed" mt={6} maw="42rem">
        Everyone has the same challenge from Monday to Sunday (UTC). No challenge comes twice before all have
        had a week. When a week ends, the first ten places of its speed board are measured once more.
      </Text>
      {now && <ThisWeek week={now} />}
      <Title order={2} fz="1.35rem" mt="2.5rem" mb="md">
        Past weeks
      </Title>
      <PagedList query={weeks} empty="The catalogue has no challenges.">
        {items => <Archive weeks={items.filter(each => each.week !== now?.week)} />}
      </PagedList>
    </Container>
  )
}

function ThisWeek({ week }: { week: Week }) {
  return (
    <>
      <Group gap="md" mt="lg" mb="sm" align="baseline">
        <Title order={2} fz="1.35rem">
          {periodName(week.week)}
        </Title>
        <Text c="dimmed" size="sm">
          {daysOfWeek(week.begins_at, week.ends_at)} · <TimeLeft ends={week.ends_at} />
        </Text>
      </Group>
      {week.challenges.map(each => (
        <Chosen key={each.slug} week={week} chosen={each} />
      ))}
    </>
  )
}

function TimeLeft({ ends }: { ends: string }) {
  return <span>{timeLeft(new Date(ends).getTime() - useNow())}</span>
}

/** A challenge of this week, with who solved it first or, if it is scored, with the first places of its speed board. */
function Chosen({ week, chosen }: { week: Week; chosen: Weekly }) {
  const card = useQuery(challenges).data?.find(each => each.slug === chosen.slug)
  const solved = useProgress()?.solved.includes(chosen.slug)
  return (
    <section className={css.chosen} aria-label={chosen.title}>
      <div className={css.card}>
        <Text size="sm" c="dimmed">
          {KINDS[chosen.kind]}
        </Text>
        <Title order={3} className={css.title}>
          {chosen.title}
        </Title>
        <Text mt={4}>{card?.summary}</Text>
        <Group gap="md" mt="md">
          <Button component={Link} to={`/challenges/${chosen.slug}`} variant={solved ? 'default' : 'filled'}>
            {solved ? 'Open' : 'Start'}
          </Button>
          {card && (
            <>
              <Difficulty level={card.difficulty} />
              <Text size="sm" c="dimmed">
                {card.minutes} min
              </Text>
            </>
          )}
          {solved && (
            <Text size="sm" c="var(--g-good)">
              Solved
            </Text>
          )}
        </Group>
      </div>
      {chosen.kind === 'scored' ? (
        <FirstPlaces slug={chosen.slug} />
      ) : (
        <FirstSolvers week={week} chosen={chosen} />
      )}
    </section>
  )
}

function FirstSolvers({ week, chosen }: { week: Week; chosen: Weekly }) {
  const me = useMe()
  const board = useQuery(leaderboard({ challenge: chosen.slug, window: week.week }, '', FIRST))
  return (
    <Loaded query={board}>
      {page =>
        page.items.length === 0 ? (
          <Text c="dimmed" my="md">
            No one has solved it this week yet.
          </Text>
        ) : (
          <>
            <RankingTable items={page.items} me={me?.id} timed />
            <Anchor component={Link} to={`/leaderboard?${boardQuery(week, chosen)}`} size="sm">
              {page.total > FIRST
                ? `All ${page.total.toLocaleString()} who solved it this week`
                : 'Open the leaderboard'}
            </Anchor>
          </>
        )
      }
    </Loaded>
  )
}

function Archive({ weeks }: { weeks: Week[] }) {
  if (weeks.length === 0) return <Text c="dimmed">This is the first week.</Text>
  return (
    <ul className={css.archive}>
      {weeks.map(week => (
        <li key={week.week}>
          <div className={css.when}>
            <b>{periodName(week.week)}</b>
            <span>{daysOfWeek(week.begins_at, week.ends_at)}</span>
          </div>
          <ul className={css.past}>
            {week.challenges.map(each => (
              <li key={each.slug}>
                <Anchor component={Link} to={`/challenges/${each.slug}`}>
                  {each.title}
                </Anchor>
                <Anchor component={Link} size="sm" to={`/leaderboard?${boardQuery(week, each)}`}>
                  {pluralize(each.solvers, 'person', 'people')} solved it
                </Anchor>
              </li>
            ))}
            {week.challenges.length === 0 && <li className={css.gone}>No longer in the catalogue</li>}
          </ul>
        </li>
      ))}
    </ul>
  )
}

const boardQuery = (week: Week, chosen: Weekly) =>
  new URLSearchParams({ challenge: chosen.slug, window: week.week }).toString()
