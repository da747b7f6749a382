import { Alert, Anchor, Button, Container, Group, Progress, Text, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import { api, type Schemas, told } from '../api/client'
import { attempt, attempts, topic, useGuest, useMe } from '../api/queries'
import { Broken, Loaded } from '../parts/States'
import { useTitle } from '../parts/title'
import { Question } from '../quiz/Question'
import { ReportError } from '../reports/ReportError'

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

/** The attempt that is open, else what there was and a button for a new one. */
function Attempts({ topic: page, known }: { topic: Schemas['TopicView']; known: boolean }) {
  const client = useQueryClient()
  const guest = useGuest()
  const query = useQuery({ ...attempts(page.id, known), placeholderData: known ? undefined : [] })
  const begin = useMutation({
    mutationFn: async () => {
      await guest()
      return told(api.POST('/api/topics/{topic_id}/attempts', { params: { path: { topic_id: page.id } } }))
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
              {page.questions} questions. Each is marked as soon as you answer it, with the reason.
              {items.length > 0 && ` Your best so far: ${best} of ${page.points} points.`}
            </Text>
            {begin.error && <Broken error={begin.error} />}
            <Button onClick={() => begin.mutate()} loading={begin.isPending}>
              {items.length ? 'Try again' : 'Begin'}
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
          <Alert title="This quiz has been changed since you began">
            <Button mt="sm" onClick={again}>
              Begin the new one
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
  if (!shown) return <End attempt={found} again={again} />
  return (
    <>
      <Progress
        value={(100 * done) / found.questions.length}
        size="sm"
        mb="xs"
        aria-label="Answered questions"
      />
      <Text size="sm" c="dimmed" mb="md">
        Question {place + 1} of {found.questions.length} · {found.points} points so far
      </Text>
      <Question key={shown.id} attempt={found.id} question={shown} />
      <ReportError
        key={`report ${shown.id}`}
        about="question"
        target={`${found.topic}/${shown.id}`}
        mt="sm"
      />
      {shown.mark && (
        <Group mt="lg">
          <Button onClick={() => setPlace(place + 1)}>
            {place + 1 < found.questions.length ? 'Next' : 'See the result'}
          </Button>
        </Group>
      )}
    </>
  )
}

function End({ attempt: found, again }: { attempt: Schemas['AttemptView']; again: () => void }) {
  const all = found.points === found.max_points
  return (
    <>
      <Title order={2}>
        {found.points} of {found.max_points} points
      </Title>
      <Text my="md" c="dimmed">
        {all
          ? 'Everything right.'
          : 'Read what was wrong once more in the topic; the next attempt shuffles the options.'}
      </Text>
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
