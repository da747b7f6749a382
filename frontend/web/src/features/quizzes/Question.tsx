import { Alert, Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type Schemas, unwrap } from '@/api/client'
import { attempt as attemptOf } from '@/api/queries'
import { Code, Inline, Markdown } from '@/shared/markdown/Markdown'
import { ErrorMessage } from '@/shared/ui/QueryStates'
import { AnswerFields } from './AnswerFields'
import { completeAnswer, type EnteredAnswer, emptyAnswer, type QuestionView } from './enteredAnswer'

/** One question with its answer, its mark and the explanation. */
export function Question({ attempt, question }: { attempt: string; question: QuestionView }) {
  const [value, setValue] = useState<EnteredAnswer>(() =>
    question.mark ? (question.mark.answer as EnteredAnswer) : emptyAnswer(question),
  )
  const client = useQueryClient()
  const answer = useMutation({
    mutationFn: (body: EnteredAnswer) =>
      unwrap(
        api.POST('/api/attempts/{attempt_id}/answers', {
          params: { path: { attempt_id: attempt } },
          body: { question: question.id, answer: body },
        }),
      ),
    onSettled: () => client.invalidateQueries({ queryKey: attemptOf(attempt).queryKey }),
  })
  return (
    <Form
      question={question}
      value={value}
      onChange={setValue}
      mark={question.mark ?? answer.data}
      error={answer.error}
      pending={answer.isPending}
      onAnswer={answer.mutate}
    />
  )
}

interface FormProps {
  question: QuestionView
  value: EnteredAnswer
  onChange: (value: EnteredAnswer) => void
  mark?: Schemas['MarkView'] | null
  /** Whether the question takes no answer: it was answered and its mark is hidden, or its time is over. */
  closed?: boolean
  error: Error | null
  pending: boolean
  onAnswer: (value: EnteredAnswer) => void
}

/** The form of a question, independent of where the answer goes. */
export function Form({ question, value, onChange, mark, closed, error, pending, onAnswer }: FormProps) {
  const ready = completeAnswer(question, value)
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        if (ready !== undefined) onAnswer(ready)
      }}
    >
      {question.prompt && <Markdown source={question.prompt} />}
      {question.code && <Code source={question.code} />}
      <fieldset disabled={closed} style={{ margin: '0.75rem 0 0', padding: 0, border: 0, minWidth: 0 }}>
        <AnswerFields question={question} value={value} onChange={onChange} {...(mark && { mark })} />
      </fieldset>
      {error && <ErrorMessage error={error} />}
      {mark && <Mark mark={mark} />}
      {!mark && !closed && (
        <Button type="submit" mt="lg" disabled={ready === undefined} loading={pending}>
          Submit answer
        </Button>
      )}
    </form>
  )
}

function Mark({ mark }: { mark: Schemas['MarkView'] }) {
  return (
    <Alert
      mt="lg"
      variant="light"
      color={mark.right ? 'green' : 'red'}
      title={mark.right ? '✓ Correct' : '✗ Incorrect'}
      role="status"
    >
      {mark.reasons.map(reason => (
        <p key={reason} style={{ margin: '0 0 0.5rem' }}>
          <Inline source={reason} />
        </p>
      ))}
      <Inline source={mark.explanation} />
    </Alert>
  )
}
