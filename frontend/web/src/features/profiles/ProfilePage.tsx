import { Container, Group, Paper, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import type { Schemas } from '@/api/client'
import { challenges } from '@/api/queries'
import { FollowButton, FollowingList } from '@/features/follows'
import { SpeedPlaces } from '@/features/speed-boards'
import { useTitle } from '@/shared/hooks/useTitle'
import { Loaded } from '@/shared/ui/QueryStates'
import { ShareButton } from '@/shared/ui/ShareButton'
import { ActivityCalendar } from './ActivityCalendar'
import { Badges } from './Badges'
import { ListingForm } from './ListingForm'
import css from './Profile.module.css'
import { profile } from './requests'
import { SolvedMap } from './SolvedMap'

const month = new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric' })

export function Component() {
  const { id = '' } = useParams()
  const query = useQuery(profile(id))
  useTitle(query.data?.name)
  return (
    <Container size="lg" py="xl">
      <Loaded page query={query}>
        {found => <Person person={found} />}
      </Loaded>
    </Container>
  )
}

function Person({ person }: { person: Schemas['ProfileView'] }) {
  const all = useQuery(challenges)
  const facts: [string, string][] = [
    [person.points.toLocaleString(), 'points'],
    [person.rank === null ? 'none' : person.rank.toLocaleString(), 'rank'],
    [`${person.solves.length}${all.data ? ` of ${all.data.length}` : ''}`, 'solved'],
    [String(person.solved_this_week), 'solved this week'],
  ]
  return (
    <>
      <Group gap="lg" align="center" wrap="nowrap">
        <span className={css.initial} aria-hidden="true">
          {[...person.name][0]?.toUpperCase()}
        </span>
        <div style={{ minWidth: 0, flex: 1 }}>
          <Title order={1} className={css.title} dir="auto">
            {person.name}
          </Title>
          <Text c="dimmed">
            Member since {month.format(new Date(person.since))}
            {person.own && !person.listed && ' · only you can see this page'}
          </Text>
        </div>
        {!person.own && <FollowButton id={person.id} name={person.name} />}
        {person.own && person.listed && (
          <ShareButton
            title={person.name}
            page={`/people/${person.id}`}
            image={`/api/profiles/${person.id}/embed.svg`}
          />
        )}
      </Group>
      <dl className={css.facts}>
        {facts.map(([value, name]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {person.own && (
        <Paper radius="lg" p="md">
          <ListingForm id={person.id} />
        </Paper>
      )}
      {person.own && (
        <Part title="People you follow">
          <FollowingList />
        </Part>
      )}
      <Part title="Activity">
        <ActivityCalendar days={person.days} />
      </Part>
      <Part title="Badges">
        {person.badges.length > 0 ? <Badges items={person.badges} /> : <Text c="dimmed">None yet.</Text>}
      </Part>
      {person.speed.length > 0 && (
        <Part title="Speed boards">
          <SpeedPlaces items={person.speed} />
        </Part>
      )}
      <Part title="Solved">
        <Loaded query={all}>{items => <SolvedMap challenges={items} solves={person.solves} />}</Loaded>
      </Part>
    </>
  )
}

function Part({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section className={css.part}>
      <Title order={2} fz="1.35rem" mb="md">
        {title}
      </Title>
      {children}
    </section>
  )
}
