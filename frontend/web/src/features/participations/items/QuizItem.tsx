import { Text, Title } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from '@/api/client'
import { type EnteredAnswer, emptyAnswer, Form, type QuestionView } from '@/features/quizzes'
import { pluralize } from '@/shared/format/numbers'
import css from '../Participation.module.css'
import { type ItemCard, item, type Participation } from '../requests'
import { chosenKey } from '../saving/storage'
import { useAttention } from '../saving/useAttention'

interface Props {
  participation: Participation
  card: ItemCard
  /** Whether its time is over. */
  closed: boolean
  onNews: () => void
}

/** The questions of a quiz, one below the other, or a question with options or a number. */
export function QuizItem({ participation, card, closed, onNews }: Props) {
  useAttention(participation, card.position, closed)
  const quiz = useQuery(item(participation.id, card.position)).data?.quiz
  if (!quiz)
    return <Text>This item is no longer available. Continue with the others, and tell the team.</Text>
  return (
    <>
      <Title order={1} fz="1.7rem">
        {card.title}
      </Title>
      <Text c="dimmed" mt={4}>
        {card.kind === 'quiz' && `${quiz.answered.length} of ${quiz.questions.length} questions answered, `}
        {pluralize(card.points, 'point')}.{!closed && ' You cannot change an answer after you submit it.'}
      </Text>
      <ol style={{ margin: 0, padding: 0, listStyle: 'none' }}>
        {quiz.questions.map((question, place) => (
          <li key={question.id} className={css.question}>
            {card.kind === 'quiz' && (
              <Title order={2} fz="1.05rem" mb="xs">
                Question {place + 1}
              </Title>
            )}
            <One
              participation={participation}
              position={card.position}
              question={question}
              answered={quiz.answered.includes(question.id)}
              closed={closed}
              onNews={onNews}
            />
          </li>
        ))}
      </ol>
    </>
  )
}

interface OneProps {
  participation: Participation
  position: number
  question: QuestionView
  answered: boolean
  closed: boolean
  onNews: () => void
}

function One({ participation, position, question, answered, closed, onNews }: OneProps) {
  const client = useQueryClient()
  // Selections that are not submitted yet survive a reload.
  const [value, setValue] = useLocalStorage<EnteredAnswer>({
    key: chosenKey(participation.id, position, question.id),
    defaultValue: question.mark ? (question.mark.answer as EnteredAnswer) : emptyAnswer(question),
    getInitialValueInEffect: false,
  })
  const answer = useMutation({
    mutationFn: (body: EnteredAnswer) =>
      unwrap(
        api.POST('/api/participation/items/{position}/answers', {
          params: { path: { position } },
          body: { question: question.id, answer: body },
        }),
      ),
    onSettled: () => {
      client.invalidateQueries({ queryKey: item(participation.id, position).queryKey })
      onNews()
    },
  })
  const done = answered || answer.isSuccess
  const mark = question.mark ?? answer.data?.mark ?? null
  return (
    <>
      <Form
        question={question}
        value={mark ? (mark.answer as EnteredAnswer) : value}
        onChange={setValue}
        mark={mark}
        closed={closed || done}
        error={answer.error}
        pending={answer.isPending}
        onAnswer={answer.mutate}
      />
      {done && !mark && (
        <Text size="sm" mt="md" role="status">
          ✓ Answered.{' '}
          {participation.verdicts === 'never'
            ? 'Only the team sees the result.'
            : 'The result is shown after you finish.'}
        </Text>
      )}
    </>
  )
}
