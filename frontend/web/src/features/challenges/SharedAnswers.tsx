import { Anchor, SegmentedControl, Table, Text, Title } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { api, type Schemas, unwrap } from '@/api/client'
import { useMe } from '@/api/queries'
import { useSharedVote } from '@/features/submissions'
import { ShowMore } from '@/shared/ui/PagedList'
import { ErrorMessage } from '@/shared/ui/QueryStates'
import { VoteButton } from '@/shared/ui/VoteButton'

type Sort = 'votes' | 'newest'
const SORTS = [
  { value: 'votes', label: 'Most votes' },
  { value: 'newest', label: 'Newest' },
]
const when = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })

/** Accepted answers that their owners share. */
export function SharedAnswers({ slug }: { slug: string }) {
  const [sort, setSort] = useState<Sort>('votes')
  const query = useInfiniteQuery({
    queryKey: ['answers', slug, sort],
    initialPageParam: '',
    queryFn: ({ pageParam: cursor }) =>
      unwrap(
        api.GET('/api/challenges/{slug}/answers', { params: { path: { slug }, query: { sort, cursor } } }),
      ),
    getNextPageParam: page => page.next_cursor,
  })
  // An answer can come twice if votes change between two pages.
  const found = query.data?.pages.flatMap(page => page.items) ?? []
  const items = [...new Map(found.map(each => [each.id, each])).values()]
  const title = useRef<HTMLHeadingElement>(null)
  const { hash, key } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a link to the answers may be followed again
  useEffect(() => {
    if (hash === '#answers') title.current?.scrollIntoView()
  }, [hash, key, query.isSuccess])
  return (
    <>
      <Title order={2} fz="1.1rem" mt="xl" mb="xs" ref={title}>
        Other people’s answers
      </Title>
      {query.isError && <ErrorMessage error={query.error} again={() => query.refetch()} />}
      {query.isSuccess && items.length === 0 && (
        <Text size="sm" c="dimmed">
          No one has shared an answer yet. To share yours, open it under “My submissions”.
        </Text>
      )}
      {items.length > 1 && (
        <SegmentedControl
          size="xs"
          data={SORTS}
          value={sort}
          onChange={value => setSort(value as Sort)}
          aria-label="Order of the answers"
        />
      )}
      {items.length > 0 && (
        <Table verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Name</Table.Th>
              <Table.Th>Votes</Table.Th>
              <Table.Th>CPU time</Table.Th>
              <Table.Th>Shared</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {items.map(each => (
              <Row key={each.id} answer={each} />
            ))}
          </Table.Tbody>
        </Table>
      )}
      <ShowMore query={query} />
    </>
  )
}

function Row({ answer }: { answer: Schemas['SharedCard'] }) {
  const vote = useSharedVote(answer.id)
  const role = useMe()?.role ?? 'guest'
  return (
    <Table.Tr>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        <Anchor component={Link} to={`/shared/${answer.id}`}>
          {answer.name}
        </Anchor>
      </Table.Td>
      <Table.Td>
        <VoteButton
          votes={answer.votes}
          voted={answer.voted}
          target={`${answer.name}’s answer`}
          {...(role !== 'guest' && !answer.mine && { onVote: vote.mutate })}
          busy={vote.isPending}
        />
        {vote.error && (
          <Text size="xs" c="var(--g-bad)" role="alert">
            {vote.error.message}
          </Text>
        )}
      </Table.Td>
      <Table.Td>{answer.cpu_s == null ? '' : `${(1000 * answer.cpu_s).toFixed(0)} ms`}</Table.Td>
      <Table.Td>{when.format(new Date(answer.shared_at))}</Table.Td>
    </Table.Tr>
  )
}
