import { Anchor, List, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { challengeStats, challenges } from '@/api/queries'
import { similarChallenges } from '@/features/catalogue'
import { StatusMark } from '@/features/progress'
import { formatPercent, pluralize } from '@/shared/format/numbers'
import { Difficulty } from '@/shared/ui/Difficulty'
import css from './Similar.module.css'

const SHOWN = 4

/** Challenges that share tags with this one. */
export function Similar({ slug }: { slug: string }) {
  const found = similarChallenges(useQuery(challenges).data ?? [], slug).slice(0, SHOWN)
  if (found.length === 0) return null
  return (
    <>
      <Title order={2} fz="1.1rem" mt="xl" mb={6}>
        Similar challenges
      </Title>
      <List size="sm" listStyleType="none" spacing={4}>
        {found.map(each => (
          <List.Item key={each.slug} className={css.item}>
            <Anchor component={Link} to={`/challenges/${each.slug}`}>
              {each.title}
            </Anchor>{' '}
            <Difficulty level={each.difficulty} /> <StatusMark slug={each.slug} />
          </List.Item>
        ))}
      </List>
    </>
  )
}

/** How many people solved the challenge, and the share of accepted submissions; nothing before the first submission. */
export function Solvers({ slug }: { slug: string }) {
  const found = useQuery(challengeStats).data?.find(each => each.slug === slug)
  if (!found) return null
  return (
    <Text size="sm" c="dimmed" mt={6}>
      Solved by {pluralize(found.solvers, 'person', 'people')}.{' '}
      {formatPercent(found.accepted / found.submissions)} of submissions were accepted.
    </Text>
  )
}
