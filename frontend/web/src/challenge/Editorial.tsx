import { Anchor, Button, Group, Skeleton, Table, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import { api, told } from '../api/client'
import { editorial, useGuest, way } from '../api/queries'
import { Dialog } from '../parts/Dialog'
import { Markdown } from '../parts/Markdown'
import { Broken, Loaded } from '../parts/States'
import { Asked } from './Asked'
import { Compare } from './Compare'

interface Props {
  slug: string
  signedIn: boolean
  draft: string
}

/** The explanation, once the challenge is solved or given up. */
export function Editorial({ slug, signedIn, draft }: Props) {
  const query = useQuery(way(slug, signedIn))
  if (!signedIn) return <Closed slug={slug} />
  if (query.isPending) return <Skeleton h={240} />
  return (
    <Loaded query={query}>
      {own => {
        if (own.interview) return <Asked interview={own.interview} />
        return own.open ? <Open slug={slug} draft={draft} /> : <Closed slug={slug} />
      }}
    </Loaded>
  )
}

function Closed({ slug }: { slug: string }) {
  const [asking, { open, close }] = useDisclosure(false)
  const client = useQueryClient()
  const guest = useGuest()
  const giveUp = useMutation({
    mutationFn: async () => {
      await guest()
      return told(api.POST('/api/challenges/{slug}/giving-up', { params: { path: { slug } } }))
    },
    onSuccess: own => client.setQueryData(way(slug, true).queryKey, own),
  })
  return (
    <>
      <Text>
        The explanation, the reference answer beside your own, and what others wrote: they open when you have
        solved the challenge.
      </Text>
      <Text c="dimmed" my="sm">
        Stuck? The hints cost nothing. After them, you can give up and read on.
      </Text>
      <Button variant="default" onClick={open}>
        Give up and read it
      </Button>
      <Dialog opened={asking} onClose={close} title="Give up on this challenge?">
        <Text size="sm">
          The explanation, the reference answer and other people's answers open for you, for good.
        </Text>
        <Text size="sm" mt="xs">
          You can still solve the challenge afterwards, and it will stand among those that you solved. It will
          bring no points. What you have sent before now is not touched.
        </Text>
        {giveUp.isError && <Broken error={giveUp.error} />}
        <Group justify="flex-end" mt="lg" gap="sm">
          <Button variant="default" data-autofocus onClick={close}>
            Try on
          </Button>
          <Button
            variant="default"
            c="var(--g-bad)"
            loading={giveUp.isPending}
            onClick={() => giveUp.mutate()}
          >
            Give up
          </Button>
        </Group>
      </Dialog>
    </>
  )
}

function Open({ slug, draft }: { slug: string; draft: string }) {
  const query = useQuery(editorial(slug))
  return (
    <Loaded query={query}>
      {found => (
        <>
          <Markdown source={found.editorial} />
          <Title order={2} fz="1.1rem" mt="xl">
            Your answer beside the reference
          </Title>
          <Compare
            before={draft}
            after={found.reference}
            names={['what is in the editor', 'the reference']}
          />
          <Others slug={slug} />
        </>
      )}
    </Loaded>
  )
}

const when = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })

/** Accepted answers whose owners show them. */
function Others({ slug }: { slug: string }) {
  const query = useInfiniteQuery({
    queryKey: ['answers', slug],
    initialPageParam: '',
    queryFn: ({ pageParam: cursor }) =>
      told(api.GET('/api/challenges/{slug}/answers', { params: { path: { slug }, query: { cursor } } })),
    getNextPageParam: page => page.next_cursor,
  })
  const items = query.data?.pages.flatMap(page => page.items) ?? []
  return (
    <>
      <Title order={2} fz="1.1rem" mt="xl" mb="xs">
        How others did it
      </Title>
      {query.isError && <Broken error={query.error} again={() => query.refetch()} />}
      {query.isSuccess && items.length === 0 && (
        <Text size="sm" c="dimmed">
          Nobody has shown an answer yet. Yours can be the first: open it under My answers and share it.
        </Text>
      )}
      {items.length > 0 && (
        <Table verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Who</Table.Th>
              <Table.Th>CPU time</Table.Th>
              <Table.Th>Shared</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {items.map(each => (
              <Table.Tr key={each.id}>
                <Table.Td>
                  <Anchor component={Link} to={`/shared/${each.id}`}>
                    {each.name}
                  </Anchor>
                </Table.Td>
                <Table.Td>{each.cpu_s == null ? '' : `${(1000 * each.cpu_s).toFixed(0)} ms`}</Table.Td>
                <Table.Td>{when.format(new Date(each.shared_at))}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      {query.hasNextPage && (
        <Button
          mt="sm"
          size="xs"
          variant="default"
          loading={query.isFetchingNextPage}
          onClick={() => query.fetchNextPage()}
        >
          More
        </Button>
      )}
    </>
  )
}
