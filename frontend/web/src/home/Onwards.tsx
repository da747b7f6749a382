import { Anchor, Button, Group, Skeleton, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { Schemas } from '../api/client'
import { challenges } from '../api/queries'
import { Difficulty } from '../parts/Difficulty'
import { Bar } from '../standings/Bar'
import { useProgress } from '../standings/queries'
import css from './Onwards.module.css'

/** For somebody who was here before: where they were, what comes next, how far they are. */
export function Onwards({ account }: { account: Schemas['AccountView'] }) {
  const found = useProgress()
  const all = useQuery(challenges).data
  if (!found || !all) return <Waiting />
  const card = (slug: string | null | undefined) => all.find(each => each.slug === slug)
  const last = found.last && !found.last.solved ? card(found.last.slug) : undefined
  const next = card(found.next)
  const guest = account.role === 'guest'
  return (
    <section className={css.onwards} aria-label="Where you are">
      <div>
        <Title order={1} fz="2.1rem" dir="auto">
          {guest ? 'Welcome back' : `Welcome back, ${account.name}`}
        </Title>
        <Text c="dimmed" mt={6} mb="lg">
          {found.streak > 1
            ? `${found.streak} days in a row.`
            : found.streak === 1
              ? 'One day in a row. Tomorrow makes it two.'
              : 'A streak begins with one answer.'}
        </Text>
        <div className={css.steps}>
          {last && <Step told="Where you were" challenge={last} filled />}
          {next && next !== last && <Step told="Next" challenge={next} filled={!last} />}
          {!last && !next && <Text>You have solved everything there is. More is being written.</Text>}
        </div>
      </div>
      <div className={css.far}>
        <Bar solved={found.solved.length} of={all.length} name="All challenges" />
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

function Step(props: { told: string; challenge: Schemas['ChallengeCard']; filled: boolean }) {
  const verb = props.told === 'Next' ? 'Begin' : 'Go on'
  return (
    <div className={css.step}>
      <Text size="sm" c="dimmed">
        {props.told}
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

/** The room that it takes, while it comes. */
export function Waiting() {
  return <Skeleton h={236} my="xl" radius={14} />
}
