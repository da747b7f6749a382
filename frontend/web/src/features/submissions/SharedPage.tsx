import { Anchor, Container, Group, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import type { Schemas } from '@/api/client'
import { shared } from '@/api/queries'
import { ReportButton } from '@/features/feedback'
import { useTitle } from '@/shared/hooks/useTitle'
import { Code } from '@/shared/markdown/Markdown'
import { ErrorMessage, Loaded } from '@/shared/ui/QueryStates'
import { VoteButton } from '@/shared/ui/VoteButton'
import { useSharedVote } from './useSharedVote'

const when = new Intl.DateTimeFormat(undefined, { dateStyle: 'long' })

/** An accepted answer that its owner shares. */
export function Component() {
  const { id = '' } = useParams()
  const query = useQuery(shared(id))
  useTitle(query.data && `${query.data.title}, by ${query.data.name}`)
  return (
    <Container size="md" py="xl">
      <Loaded page query={query}>
        {found => <Answer found={found} />}
      </Loaded>
    </Container>
  )
}

function Answer({ found }: { found: Schemas['SharedView'] }) {
  const vote = useSharedVote(found.id)
  const facts = [
    'Accepted',
    found.cpu_s != null && `${(1000 * found.cpu_s).toFixed(0)} ms CPU`,
    found.memory_mb != null && `${found.memory_mb.toFixed(0)} MB`,
    `shared ${when.format(new Date(found.shared_at))}`,
  ]
  return (
    <>
      <Text c="dimmed" size="sm">
        An answer by {found.name}
      </Text>
      <Title order={1} fz="1.8rem">
        {found.title}
      </Title>
      <Text c="dimmed" size="sm" mt={4} mb="md">
        {facts.filter(Boolean).join(' · ')}
      </Text>
      <Code source={found.source} />
      <Group gap={2} mt="xs" ml={-8}>
        <VoteButton
          votes={found.votes}
          voted={found.voted}
          target={`${found.name}’s answer`}
          {...(found.votable && { onVote: vote.mutate })}
          busy={vote.isPending}
        />
        {!found.mine && <ReportButton about="answer" target={`${found.slug}/${found.id}`} />}
      </Group>
      {vote.error && <ErrorMessage error={vote.error} />}
      <Text mt="lg">
        <Anchor component={Link} to={`/challenges/${found.slug}`}>
          Solve it yourself
        </Anchor>
      </Text>
    </>
  )
}
