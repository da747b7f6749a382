import { Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { Schemas } from '../api/client'
import { teams } from '../api/teams'
import { Loaded } from '../parts/States'
import { useTitle } from '../parts/title'
import { Chip } from '../team/Chip'
import { MembersOnly } from '../team/MembersOnly'
import { NewTeam } from '../team/NewTeam'
import css from '../team/Teams.module.css'
import { many } from '../team/words'

const STEPS = [
  [
    'Build',
    'Put challenges and quizzes into sections, with points and a clock. Try it as a candidate would.',
  ],
  [
    'Invite',
    'By letter, by a list, or with a link to hand over. Candidates need no account, and some get more time.',
  ],
  [
    'Read',
    'Each test, each edit and each minute, as facts. Notes and points of your own; the decision is yours.',
  ],
] as const

export function Component() {
  useTitle('Teams')
  return <MembersOnly title="Teams">{() => <Mine />}</MembersOnly>
}

function Mine() {
  return (
    <Loaded page query={useQuery(teams(true))}>
      {items => (
        <>
          <Title order={1}>Teams</Title>
          {items.length === 0 ? <First /> : <Listed items={items} />}
        </>
      )}
    </Loaded>
  )
}

function Listed({ items }: { items: Schemas['TeamView'][] }) {
  return (
    <>
      <Text c="dimmed" mt={4} mb="xl">
        People who make assessments together. What a team has, nobody outside it sees.
      </Text>
      <ul className={css.grid}>
        {items.map(each => (
          <li key={each.id}>
            <Link to={`/teams/${each.id}`} className={css.team}>
              <span className={css.name}>{each.name}</span>
              <span className={css.foot}>
                <Chip tone={each.role === 'owner' ? 'new' : undefined}>you: {each.role}</Chip>
                {many(each.members, 'member')}
              </span>
            </Link>
          </li>
        ))}
      </ul>
      <section className={css.new} aria-labelledby="another">
        <Title order={2} id="another" fz="1.3rem" mb="md">
          Another team
        </Title>
        <NewTeam />
      </section>
    </>
  )
}

/** For somebody who is in none yet. */
function First() {
  return (
    <>
      <Text c="dimmed" mt={4} maw="44rem" fz="1.05rem" lh={1.6}>
        A team is for people who hire, or who teach: it holds their assessments, and what candidates did in
        them. Nobody outside sees any of it.
      </Text>
      <ul className={css.first}>
        {STEPS.map(([name, text]) => (
          <li key={name}>
            <Title order={2} fz="1.15rem" mb={6}>
              {name}
            </Title>
            <Text c="dimmed" size="sm" lh={1.6}>
              {text}
            </Text>
          </li>
        ))}
      </ul>
      <NewTeam />
      <Text c="dimmed" size="sm" mt="lg">
        Are you invited to a team? Then open the link in your letter.
      </Text>
    </>
  )
}
