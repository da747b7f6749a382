import { Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { Schemas } from '@/api/client'
import { teams } from '@/api/teams'
import { pluralize } from '@/shared/format/numbers'
import { useTitle } from '@/shared/hooks/useTitle'
import { MembersOnly } from '@/shared/pages/MembersOnly'
import { Chip } from '@/shared/ui/Chip'
import { Loaded } from '@/shared/ui/QueryStates'
import { NewTeam } from './NewTeam'
import css from './Teams.module.css'

const STEPS = [
  [
    'Build',
    'Put challenges and quizzes into sections, with points and a time limit. Try the assessment as a candidate would.',
  ],
  [
    'Invite',
    'By email, with a CSV file, or with a link that you send yourself. Candidates need no account. You can give individual candidates extra time.',
  ],
  [
    'Review',
    'See every test result, every edit and the time spent. Add your own notes and points; the decision is yours.',
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
        A team creates assessments together. Only the team, and the candidates it invites, can see them.
      </Text>
      <ul className={css.grid}>
        {items.map(each => (
          <li key={each.id}>
            <Link to={`/teams/${each.id}`} className={css.team}>
              <span className={css.name}>{each.name}</span>
              <span className={css.foot}>
                <Chip tone={each.role === 'owner' ? 'new' : undefined}>You: {each.role}</Chip>
                {pluralize(each.members, 'member')}
              </span>
            </Link>
          </li>
        ))}
      </ul>
      <section className={css.new} aria-labelledby="another">
        <Title order={2} id="another" fz="1.3rem" mb="md">
          New team
        </Title>
        <NewTeam />
      </section>
    </>
  )
}

/** Shown to users who have no team. */
function First() {
  return (
    <>
      <Text c="dimmed" mt={4} maw="44rem" fz="1.05rem" lh={1.6}>
        A team is for people who hire or teach. It holds their assessments and the results of their
        candidates. Only the team can see them. Candidates see only the assessments that they are invited to.
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
        Invited to a team? Open the link in your email.
      </Text>
    </>
  )
}
