import { Alert, Anchor, Button, Container, CopyButton, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link, useParams } from 'react-router'
import type { Schemas } from '@/api/client'
import { workspaceStyles as css, SplitPane } from '@/features/challenges'
import { JudgingResults } from '@/features/judging'
import { pluralize } from '@/shared/format/numbers'
import { Loaded } from '@/shared/ui/QueryStates'
import { OwnAssistant } from './assistant/OwnAssistant'
import { CandidateFrame } from './CandidateFrame'
import { formatTime } from './clock'
import { FeedbackForm } from './FeedbackForm'
import { Reading } from './items/ChallengeItem'
import { ItemList } from './items/ItemList'
import { itemsOf } from './items/itemStates'
import { PastText } from './items/PastText'
import { QuizItem } from './items/QuizItem'
import { describeWhatWasSubmitted } from './items/submissionsLeft'
import { useSubmitAnswer } from './items/useSubmitAnswer'
import { type ItemCard, item, type OpenedItem, type Participation } from './requests'
import { forgetParticipation, loadAnswer, positionsOf } from './saving/storage'
import { TestDriveNotice } from './TestDriveNotice'

const nothing = () => undefined

/** Shown after the end: what was submitted, and the results. */
export function FinishedAssessment({ found }: { found: Participation }) {
  const { position } = useParams()
  const shown = itemsOf(found).find(each => String(each.position) === position && each.opened_at)
  useEffect(() => {
    // The candidate may get more time after the deadline; then save what was not saved.
    if (found.finished_by !== 'deadline') forgetParticipation(found.id)
  }, [found.id, found.finished_by])
  return (
    <CandidateFrame name={<Link to="/participation">{found.assessment}</Link>}>
      {shown ? <Past key={shown.position} found={found} card={shown} /> : <Sum found={found} />}
    </CandidateFrame>
  )
}

const ENDS = {
  candidate: ['Finished', 'You finished'],
  deadline: ['Time is up', 'Your time ran out'],
  team: ['Ended by the team', 'The team ended the assessment'],
} as const

function Sum({ found }: { found: Participation }) {
  const [title, how] = ENDS[found.finished_by ?? 'candidate']
  return (
    <Container size="md" py="xl">
      {found.test_drive && <TestDriveNotice found={found} />}
      <Text c="dimmed">
        {found.team}, {found.assessment}
      </Text>
      <Title order={1}>{title}</Title>
      <Text mt="sm">
        {how} at {formatTime(found.finished_at ?? found.deadline)}. {describeWhatWasSubmitted(found)} The last
        saved texts are your answers.
      </Text>
      <Text mt="sm" role="status">
        {outcome(found)}
      </Text>
      {found.finished_by === 'deadline' && <LeftBehind found={found} />}
      <OwnAssistant participationId={found.id} />
      <ItemList found={found} />
      <FeedbackForm participationId={found.id} />
      <Text mt="xl" c="dimmed">
        You can close this page. Thank you for your time.
      </Text>
    </Container>
  )
}

/** What the candidate learns about the results. */
function outcome(found: Participation): string {
  const items = itemsOf(found)
  if (found.verdicts === 'never')
    return 'The team sees your results and makes the decision. This page does not show verdicts and scores.'
  if (items.some(each => each.unfinished))
    return 'Some answers are still being judged. They count, and this page shows the results when they are ready.'
  // The plan can hide the points of single items.
  const isHidden = (each: ItemCard) => each.sent > 0 && each.score === null && !each.awaits_review
  const hidden = items.filter(isHidden)
  if (hidden.length === items.length)
    return 'This page does not show points. The team sees all points and makes the decision.'
  const shown = items.filter(each => !isHidden(each))
  const came = shown.reduce((sum, each) => sum + (each.score ?? 0), 0)
  const points = shown.reduce((sum, each) => sum + each.points, 0)
  const waiting = items.filter(each => each.awaits_review).reduce((sum, each) => sum + each.points, 0)
  const still = waiting > 0 ? `, ${pluralize(waiting, 'point')} still waiting for review` : ''
  const score = `${Math.round(10 * came) / 10} of ${pluralize(points, 'point')}${still}.`
  return hidden.length > 0
    ? `${score} The points of ${pluralize(hidden.length, 'other item')} are not shown here. The team sees all points and makes the decision.`
    : `${score} The team sees the same results and makes the decision.`
}

/** Texts that did not reach the service in time are kept in this browser and shown to their author. */
function LeftBehind({ found }: { found: Participation }) {
  const left = positionsOf(found.id).flatMap(position => {
    const stored = loadAnswer(found.id, position)
    return stored && stored.text !== stored.saved ? [{ position, text: stored.text }] : []
  })
  if (!left.length) return null
  return (
    <Alert color="marigold" variant="light" my="lg" title="Some of your code did not arrive in time">
      <Text size="sm">
        Your latest code in these items is saved only in this browser and does not count. If the problem was
        on our side, tell the team. They can give you time back, and then this page submits the code.
      </Text>
      {left.map(({ position, text }) => (
        <CopyButton key={position} value={text}>
          {({ copied, copy }) => (
            <Button size="xs" variant="default" mt="sm" mr="sm" onClick={copy}>
              {copied ? 'Copied' : `Copy the code of item ${position}`}
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
        {loaded =>
          loaded.question ? (
            <PastText found={found} card={card} opened={loaded} question={loaded.question} />
          ) : (
            <QuizItem participation={found} card={card} closed onNews={nothing} />
          )
        }
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
  const { state, held } = useSubmitAnswer(found, opened, nothing)
  return (
    <SplitPane
      title={challenge.title}
      views={['read', 'results']}
      left={
        <>
          <Anchor component={Link} to="/participation" size="sm">
            All items
          </Anchor>
          <Reading participation={found} opened={opened} challenge={challenge} start="answers" closed />
        </>
      }
      right={
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
        <section className={css.results} aria-label="Results" tabIndex={0}>
          {state.phase === 'idle' ? (
            <Text c="dimmed" p="md">
              {held
                ? 'This answer was submitted and counts. Only the team sees its result.'
                : 'Select one of your submissions to see its result.'}
            </Text>
          ) : (
            <JudgingResults state={state} />
          )}
        </section>
      }
    />
  )
}
