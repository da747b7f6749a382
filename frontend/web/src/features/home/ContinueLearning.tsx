import { Anchor, Button, Group, Skeleton, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { Schemas } from '@/api/client'
import { challenges } from '@/api/queries'
import { ProgressBar, useProgress } from '@/features/progress'
import { useThisWeek } from '@/features/weekly'
import { pluralize } from '@/shared/format/numbers'
import { Difficulty } from '@/shared/ui/Difficulty'
import css from './ContinueLearning.module.css'

type Card = Schemas['ChallengeCard']

/** For returning users: where they left off, what comes next, and their progress. */
export default function ContinueLearning({ account }: { account: Schemas['AccountView'] }) {
  const found = useProgress()
  const all = useQuery(challenges).data
  const week = useThisWeek()
  if (!found || !all) return <Skeleton h={236} my="xl" radius={14} />
  const card = (slug: string | null | undefined) => all.find(each => each.slug === slug)
  const last = found.last && !found.last.solved ? card(found.last.slug) : undefined
  const next = card(found.next)
  const fresh = (each: Card) => each !== last && each !== next && !found.solved.includes(each.slug)
  const weekly = week?.challenges.map(each => card(each.slug)).find(each => each && fresh(each))
  const guest = account.role === 'guest'
  return (
    <section className={css.onwards} aria-label="Your progress">
      <div>
        <Title order={1} fz="2.1rem" dir="auto">
          {guest ? 'Welcome back' : `Welcome back, ${account.name}`}
        </Title>
        <Text c="dimmed" mt={6} mb="lg">
          {found.solved_this_week > 0
            ? `Solved ${pluralize(found.solved_this_week, 'challenge')} this week.`
            : `Solved ${pluralize(found.solved.length, 'challenge')} so far.`}
        </Text>
        <div className={css.steps}>
          {last && <Step label="Continue where you left off" challenge={last} filled />}
          {next && next !== last && <Step label="Next" challenge={next} filled={!last} />}
          {weekly && <Step label="Challenge of the week" challenge={weekly} filled={false} />}
          {!last && !next && <Text>You have solved every challenge.</Text>}
        </div>
      </div>
      <div className={css.far}>
        <ProgressBar solved={found.solved.length} of={all.length} name="All challenges" />
        <Group mt="md" justify="space-between">
          <Text size="sm">
            <b>{found.points}</b> points
          </Text>
          <Anchor component={Link} size="sm" to={guest ? '/leaderboard' : `/people/${account.id}`}>
            {guest ? 'Leaderboard' : 'My profile'}
          </Anchor>
        </Group>
      </div>
    </section>
  )
}

function Step(props: { label: string; challenge: Card; filled: boolean }) {
  const verb = props.label.startsWith('Continue') ? 'Continue' : 'Start'
  return (
    <div className={css.step}>
      <Text size="sm" c="dimmed">
        {props.label}
      </Text>
      <Text className={css.name}>{props.challenge.title}</Text>
      <Group gap="md" mt="auto" pt="sm">
        <Button
          component={Link}
          to={`/challenges/${props.challenge.slug}`}
          variant={props.filled ? 'filled' : 'default'}
          size="sm"
          aria-label={`${verb}: ${props.challenge.title}`}
        >
          {verb}
        </Button>
        <Difficulty level={props.challenge.difficulty} />
        <Text size="sm" c="dimmed">
          {props.challenge.minutes} min
        </Text>
      </Group>
    </div>
  )
}
