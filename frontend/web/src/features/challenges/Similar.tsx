import { Anchor, List, Text, Title } from '@mantine/core'
import { useInViewport } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { Schemas } from '@/api/client'
import { challengeStats, challenges } from '@/api/queries'
import { similarChallenges } from '@/features/catalogue'
import { StatusMark } from '@/features/progress'
import { formatPercent, pluralize } from '@/shared/format/numbers'
import { Difficulty } from '@/shared/ui/Difficulty'
import css from './Similar.module.css'

const SHOWN = 4

/** Challenges that share tags with this one. The list of all challenges is loaded when the reader comes near. */
export function Similar({ slug }: { slug: string }) {
  const { ref, inViewport } = useInViewport()
  const all = useQuery({ ...challenges, enabled: inViewport }).data
  const found = similarChallenges(all ?? [], slug).slice(0, SHOWN)
  return (
    <div className={css.similar}>
      <div className={css.near} ref={ref} />
      {found.length > 0 && <SimilarList found={found} />}
    </div>
  )
}

function SimilarList({ found }: { found: Schemas['ChallengeCard'][] }) {
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
