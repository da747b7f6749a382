import { Button, Group, Skeleton, Table, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, type Schemas, unwrap } from '@/api/client'
import { challengeProgress, editorial, useGuest } from '@/api/queries'
import { TextComparison } from '@/features/editor'
import { Markdown } from '@/shared/markdown/Markdown'
import { Dialog } from '@/shared/ui/Dialog'
import { ErrorMessage, Loaded } from '@/shared/ui/QueryStates'
import { ClosedDuringInterview } from './ClosedDuringInterview'
import { SharedAnswers } from './SharedAnswers'

type Mistake = Schemas['MistakeView']

interface Props {
  slug: string
  signedIn: boolean
  draft: string
}

/** The editorial, available once the challenge is solved or given up. */
export default function Editorial({ slug, signedIn, draft }: Props) {
  const query = useQuery(challengeProgress(slug, signedIn))
  if (!signedIn) return <Closed slug={slug} />
  if (query.isPending) return <Skeleton h={240} />
  return (
    <Loaded query={query}>
      {own => {
        if (own.interview) return <ClosedDuringInterview interview={own.interview} />
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
      return unwrap(api.POST('/api/challenges/{slug}/giving-up', { params: { path: { slug } } }))
    },
    onSuccess: own => client.setQueryData(challengeProgress(slug, true).queryKey, own),
  })
  return (
    <>
      <Text>
        The explanation, the reference answer, other people’s answers and the discussion unlock when you solve
        the challenge.
      </Text>
      <Text c="dimmed" my="sm">
        Stuck? Hints are free. You can also give up and read the editorial.
      </Text>
      <Button variant="default" onClick={open}>
        Give up and read the editorial
      </Button>
      <Dialog opened={asking} onClose={close} title="Give up on this challenge?">
        <Text size="sm">
          This permanently unlocks the explanation, the reference answer, other people’s answers and the
          discussion.
        </Text>
        <Text size="sm" mt="xs">
          You can still solve the challenge afterwards. It then counts as solved, but you get no points.
          Earlier submissions keep their points.
        </Text>
        {giveUp.isError && <ErrorMessage error={giveUp.error} />}
        <Group justify="flex-end" mt="lg" gap="sm">
          <Button variant="default" data-autofocus onClick={close}>
            Keep trying
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
            Your answer compared with the reference
          </Title>
          <TextComparison
            before={draft}
            after={found.reference}
            names={['your answer', 'the reference answer']}
          />
          <Mistakes mistakes={found.mistakes} />
          <SharedAnswers slug={slug} />
        </>
      )}
    </Loaded>
  )
}

const AT_FIRST = 6

/** Wrong solutions by the authors, each with the test that catches it. */
function Mistakes({ mistakes }: { mistakes: Mistake[] }) {
  const [all, { open }] = useDisclosure(false)
  if (mistakes.length === 0) return null
  const shown = all ? mistakes : mistakes.slice(0, AT_FIRST)
  return (
    <>
      <Title order={2} fz="1.1rem" mt="xl" mb="xs">
        Mistakes that the tests catch
      </Title>
      <Table verticalSpacing={6} layout="fixed">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Mistake</Table.Th>
            <Table.Th>Test that catches it</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {shown.map(each => (
            <Table.Tr key={each.mistake} style={{ overflowWrap: 'anywhere', verticalAlign: 'top' }}>
              <Table.Td>{each.mistake}</Table.Td>
              <Table.Td c="dimmed">
                {each.test ?? 'Rejected before any test runs, or stopped by a limit'}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {shown.length < mistakes.length && (
        <Button mt="sm" size="xs" variant="default" onClick={open}>
          Show all {mistakes.length}
        </Button>
      )}
    </>
  )
}
