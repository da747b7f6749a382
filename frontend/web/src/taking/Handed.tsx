import { Alert, Anchor, Button, Container, CopyButton, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link, useParams } from 'react-router'
import type { Schemas } from '../api/client'
import { type ItemCard, item, type OpenedItem, type Participation } from '../api/taking'
import { Results } from '../challenge/Results'
import { Split } from '../challenge/Split'
import css from '../pages/Challenge.module.css'
import { Loaded } from '../parts/States'
import { Reading } from './ChallengeItem'
import { ItemList } from './ItemList'
import { Quiet } from './Quiet'
import { QuizItem } from './QuizItem'
import { itemsOf } from './states'
import { forget, load, positionsOf } from './storage'
import { hourOf } from './time'
import { useSending } from './useSending'

const nothing = () => undefined

/** After the end: what was handed in, and what it came to. */
export function Handed({ found }: { found: Participation }) {
  const { position } = useParams()
  const shown = itemsOf(found).find(each => String(each.position) === position && each.opened_at)
  useEffect(() => {
    // After the deadline more time may be given: then what was not saved is saved.
    if (found.finished_by !== 'deadline') forget(found.id)
  }, [found.id, found.finished_by])
  return (
    <Quiet name={<Link to="/participation">{found.assessment}</Link>}>
      {shown ? <Past key={shown.position} found={found} card={shown} /> : <Sum found={found} />}
    </Quiet>
  )
}

const ENDS = {
  candidate: ['Handed in', 'You finished'],
  deadline: ['The time is over', 'The time was over'],
  team: ['Ended by the team', 'The team ended it'],
} as const

function Sum({ found }: { found: Participation }) {
  const items = itemsOf(found)
  const [title, how] = ENDS[found.finished_by ?? 'candidate']
  const waits = items.some(each => each.unfinished)
  const came = items.reduce((sum, each) => sum + (each.score ?? 0), 0)
  const points = items.reduce((sum, each) => sum + each.points, 0)
  return (
    <Container size="md" py="xl">
      <Text c="dimmed">
        {found.team}, {found.assessment}
      </Text>
      <Title order={1}>{title}</Title>
      <Text mt="sm">
        {how} at {hourOf(found.finished_at ?? found.deadline)}. What you had written last in each editor was
        sent as an answer, if it was not sent before.
      </Text>
      <Text mt="sm" role="status">
        {waits
          ? 'Something that arrived in time is still being judged. It counts, and this page shows it when it is done.'
          : `${Math.round(10 * came) / 10} of ${points} points. The team sees the same, and decides.`}
      </Text>
      {found.finished_by === 'deadline' && <LeftBehind found={found} />}
      <ItemList found={found} />
      <Text mt="xl" c="dimmed">
        You can close this page. Thank you for your time.
      </Text>
    </Container>
  )
}

/** Texts that did not reach the service in time are still here, for whoever wrote them. */
function LeftBehind({ found }: { found: Participation }) {
  const left = positionsOf(found.id).flatMap(position => {
    const stored = load(found.id, position)
    return stored && stored.text !== stored.kept ? [{ position, text: stored.text }] : []
  })
  if (!left.length) return null
  return (
    <Alert color="marigold" variant="light" my="lg" title="Something did not arrive in time">
      <Text size="sm">
        What you wrote last in these items is only in this browser, and does not count. If a fault of ours was
        the reason, tell the team: it can give time back, and then this page sends it.
      </Text>
      {left.map(({ position, text }) => (
        <CopyButton key={position} value={text}>
          {({ copied, copy }) => (
            <Button size="xs" variant="default" mt="sm" mr="sm" onClick={copy}>
              {copied ? 'Copied' : `Copy the text of item ${position}`}
            </Button>
          )}
        </CopyButton>
      ))}
    </Alert>
  )
}

function Past({ found, card }: { found: Participation; card: ItemCard }) {
  const query = useQuery(item(found.id, card.position))
  const opened = query.data
  if (opened?.challenge) return <PastChallenge found={found} opened={opened} challenge={opened.challenge} />
  return (
    <Container size="sm" py="xl">
      <Anchor component={Link} to="/participation">
        All items
      </Anchor>
      <Loaded page query={query}>
        {() => <QuizItem participation={found} card={card} closed onNews={nothing} />}
      </Loaded>
    </Container>
  )
}

interface PastProps {
  found: Participation
  opened: OpenedItem
  challenge: Schemas['ChallengeView']
}

function PastChallenge({ found, opened, challenge }: PastProps) {
  const { state } = useSending(found, opened, nothing)
  return (
    <Split
      left={
        <>
          <Anchor component={Link} to="/participation" size="sm">
            All items
          </Anchor>
          <Reading opened={opened} challenge={challenge} start="answers" />
        </>
      }
      right={
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
        <section className={css.results} aria-label="Results" tabIndex={0}>
          {state.phase === 'idle' ? (
            <Text c="dimmed" p="md">
              Choose one of your answers: what each test said appears here.
            </Text>
          ) : (
            <Results state={state} />
          )}
        </section>
      }
    />
  )
}
