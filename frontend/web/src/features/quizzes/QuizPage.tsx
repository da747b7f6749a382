import { Alert, Anchor, Button, Container, Group, Progress, Text, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import { api, type Schemas, unwrap } from '@/api/client'
import { attempt, attempts, topic, useGuest, useMe } from '@/api/queries'
import { ReportButton } from '@/features/feedback'
import { pluralize } from '@/shared/format/numbers'
import { useTitle } from '@/shared/hooks/useTitle'
import { ErrorMessage, Loaded } from '@/shared/ui/QueryStates'
import { Question } from './Question'

export function Component() {
  const { id = '' } = useParams()
  const found = useQuery(topic(id))
  const account = useMe()
  useTitle(found.data && `Quiz: ${found.data.title}`)
  return (
    <Container size="sm" py="xl">
      <Loaded page query={found}>
        {page => (
          <>
            <Text size="sm" c="dimmed">
              <Anchor component={Link} to={`/topics/${id}`} c="inherit">
                {page.title}
              </Anchor>
            </Text>
            <Title order={1} mb="lg">
              Quiz
            </Title>
            <Attempts topic={page} known={account !== null} />
          </>
        )}
      </Loaded>
    </Container>
  )
}

/** The open attempt, or past attempts and a button to start a new one. */
function Attempts({ topic: page, known }: { topic: Schemas['TopicView']; known: boolean }) {
  const client = useQueryClient()
  const guest = useGuest()
  const query = useQuery({ ...attempts(page.id, known), placeholderData: known ? undefined : [] })
  const begin = useMutation({
    mutationFn: async () => {
      await guest()
      return unwrap(api.POST('/api/topics/{topic_id}/attempts', { params: { path: { topic_id: page.id } } }))
    },
    onSuccess: made => {
      client.setQueryData(attempt(made.id).queryKey, made)
      client.invalidateQueries({ queryKey: attempts(page.id, true).queryKey })
    },
  })
  return (
    <Loaded query={query}>
      {items => {
        const open = begin.data?.id ?? items.find(each => each.ended_at === null)?.id
        if (open) return <Attempt key={open} id={open} again={() => begin.mutate()} />
        const best = Math.max(0, ...items.map(each => each.points))
        return (
          <>
            <Text mb="md">
              {pluralize(page.questions, 'question')}. You see whether each answer is correct as soon as you
              submit it, with the reason.
              {items.length > 0 && ` Your best so far: ${best} of ${pluralize(page.points, 'point')}.`}
            </Text>
            {begin.error && <ErrorMessage error={begin.error} />}
            <Button onClick={() => begin.mutate()} loading={begin.isPending}>
              {items.length ? 'Try again' : 'Start'}
            </Button>
          </>
        )
      }}
    </Loaded>
  )
}

function Attempt({ id, again }: { id: string; again: () => void }) {
  const query = useQuery({ ...attempt(id), staleTime: 0 })
  return (
    <Loaded query={query}>
      {found =>
        found.current ? (
          <Questions attempt={found} again={again} />
        ) : (
          <Alert title="This quiz has changed since you started">
            <Button mt="sm" onClick={again}>
              Start the new version
            </Button>
          </Alert>
        )
      }
    </Loaded>
  )
}

function Questions({ attempt: found, again }: { attempt: Schemas['AttemptView']; again: () => void }) {
  const first = found.questions.findIndex(each => !each.mark)
  const [place, setPlace] = useState(first < 0 ? found.questions.length : first)
  const done = found.questions.filter(each => each.mark).length
  const shown = found.questions[place]
  if (!shown) return <End attempt={found} again={again} onSelect={setPlace} />
  return (
    <>
      <Progress
        value={(100 * done) / found.questions.length}
        size="sm"
        mb="xs"
        aria-label="Answered questions"
      />
      <Text size="sm" c="dimmed" mb="md">
        Question {place + 1} of {found.questions.length} · {pluralize(found.points, 'point')} so far
      </Text>
      <Question key={shown.id} attempt={found.id} question={shown} />
      <ReportButton
        key={`report ${shown.id}`}
        about="question"
        target={`${found.topic}/${shown.id}`}
        mt="sm"
      />
      {shown.mark && (
        <Group mt="lg">
          <Button onClick={() => setPlace(place + 1)}>
            {place + 1 < found.questions.length ? 'Next' : 'Show result'}
          </Button>
          {done === found.questions.length && place + 1 < done && (
            <Button variant="default" onClick={() => setPlace(done)}>
              Show result
            </Button>
          )}
        </Group>
      )}
    </>
  )
}

interface EndProps {
  attempt: Schemas['AttemptView']
  again: () => void
  onSelect: (place: number) => void
}

/** The points, and the questions that were missed. Each leads to its explanation. */
function End({ attempt: found, again, onSelect }: EndProps) {
  const missed = found.questions.flatMap((each, place) => (each.mark?.right ? [] : [place]))
  const all = missed.length === 0
  return (
    <>
      <Title order={2}>
        {found.points} of {pluralize(found.max_points, 'point')}
      </Title>
      <Text my="md" c="dimmed">
        {all
          ? 'All correct.'
          : 'Read the explanations of the questions that you missed, or the topic again. The next attempt shuffles the options.'}
      </Text>
      {!all && (
        <Group component="nav" aria-label="Missed questions" gap="xs" mb="lg">
          {missed.map(place => (
            <Button key={place} size="xs" variant="default" onClick={() => onSelect(place)}>
              Question {place + 1}
            </Button>
          ))}
        </Group>
      )}
      <Group>
        <Button variant={all ? 'default' : 'filled'} onClick={again}>
          Try again
        </Button>
        <Button component={Link} variant={all ? 'filled' : 'default'} to={`/topics/${found.topic}`}>
          Back to the topic
        </Button>
      </Group>
    </>
  )
}
