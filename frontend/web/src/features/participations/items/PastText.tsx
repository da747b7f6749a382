import { Container, Text, Title } from '@mantine/core'
import type { Schemas } from '@/api/client'
import { formatPoints } from '@/shared/format/numbers'
import css from '../Participation.module.css'
import type { ItemCard, OpenedItem, Participation } from '../requests'
import { OwnCode } from './OwnCode'
import { QuestionHead } from './TextItem'

interface Props {
  found: Participation
  card: ItemCard
  opened: OpenedItem
  question: Schemas['TextQuestion']
}

/** A question that was answered with a text, after the end. */
export function PastText({ found, card, opened, question }: Props) {
  const text = opened.draft?.source ?? ''
  return (
    <Container size="sm" px={0}>
      <QuestionHead card={card} question={question} />
      {question.about && (
        <OwnCode participation={found} position={opened.position} about={question.about} closed />
      )}
      <Title order={2} fz="1.05rem" mt="lg" mb="xs">
        Your answer
      </Title>
      {text.trim() ? (
        <p className={`g-typed ${css.written}`}>{text}</p>
      ) : (
        <Text c="dimmed">You wrote nothing.</Text>
      )}
      <Text mt="md" role="status">
        {outcome(found, card)}
      </Text>
    </Container>
  )
}

function outcome({ verdicts }: Participation, card: ItemCard): string {
  if (verdicts === 'never') return 'Only the team sees the result.'
  if (card.awaits_review) return 'Waiting for review.'
  if (card.score === null) return card.sent > 0 ? 'Only the team sees the points.' : ''
  return `${formatPoints(card.score)} of ${card.points} points.`
}
