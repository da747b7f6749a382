import { Anchor, Button, Container, Group, List, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link } from 'react-router'
import type { Schemas } from '@/api/client'
import { addTopic, useCards } from '@/features/cards'
import { pluralize } from '@/shared/format/numbers'
import css from './Interview.module.css'
import { PastInterviews } from './PastInterviews'
import { ReportItems } from './ReportItems'
import type { Found } from './RunningInterview'
import { interviews, useResetLockedContent } from './requests'

/** The result of an interview, where the time went, and what to review. */
export function InterviewReport({ interview: found }: { interview: Found }) {
  const resetLocked = useResetLockedContent()
  useEffect(resetLocked, [resetLocked])
  const before = (useQuery(interviews(true)).data ?? []).filter(each => each.id !== found.id && each.ended_at)
  const mean = before.reduce((sum, each) => sum + each.percent, 0) / before.length
  return (
    <Container size="md" py="xl">
      <Title order={1}>Your interview</Title>
      <Text c="dimmed" mb="lg">
        {found.level}, {found.minutes} minutes, {pluralize(found.questions, 'question')},{' '}
        {pluralize(found.challenges, 'challenge')}
      </Text>
      <p className={css.score}>{found.percent}%</p>
      <Text c="dimmed" mt={6} mb="xl">
        Each item is worth as many points as its expected minutes.
        {before.length > 0 && ` Your average in other interviews: ${Math.round(mean)}%.`}
      </Text>
      <ReportItems items={found.items} />
      <Revise topics={found.revise} />
      {before.length > 0 && (
        <>
          <Title order={2} fz="1.3rem" mt="xl" mb="sm">
            Your other interviews
          </Title>
          <PastInterviews items={before} />
        </>
      )}
      <Button component={Link} to="/interview" mt="xl">
        Start another interview
      </Button>
    </Container>
  )
}

function Revise({ topics }: { topics: Schemas['TopicLink'][] }) {
  const add = useCards(async (ids: string[]) => {
    for (const id of ids) await addTopic(id)
  })
  if (!topics.length) return <Text mt="lg">All correct. Try a harder level next time.</Text>
  return (
    <section>
      <Title order={2} fz="1.3rem" mt="xl" mb="sm">
        What to study
      </Title>
      <List mb="md">
        {topics.map(each => (
          <List.Item key={each.id}>
            <Anchor component={Link} to={`/topics/${each.id}`}>
              {each.title}
            </Anchor>
          </List.Item>
        ))}
      </List>
      <Group>
        <Button
          variant="light"
          loading={add.isPending}
          disabled={add.isSuccess}
          onClick={() => add.mutate(topics.map(each => each.id))}
        >
          {add.isSuccess ? 'Added to your cards' : 'Add cards for these topics'}
        </Button>
        {add.isSuccess && (
          <Anchor component={Link} to="/cards?deck=mine">
            Study now
          </Anchor>
        )}
      </Group>
    </section>
  )
}
