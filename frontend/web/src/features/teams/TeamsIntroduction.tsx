import { Text, Title } from '@mantine/core'
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

/** Shown to users who have no team. */
export function TeamsIntroduction() {
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
