import { Alert, Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type Schemas, told } from '../api/client'
import { attempt as attemptOf } from '../api/queries'
import { Code, Inline, Markdown } from '../parts/Markdown'
import { Broken } from '../parts/States'
import { Fields } from './Fields'
import { type Given, given, start } from './given'

export type Asked = Schemas['QuestionView']

/** One question: asked, answered, and explained with its mark. */
export function Question({ attempt, question }: { attempt: string; question: Asked }) {
  const [value, setValue] = useState<Given>(() =>
    question.mark ? (question.mark.answer as Given) : start(question),
  )
  const client = useQueryClient()
  const answer = useMutation({
    mutationFn: (body: Given) =>
      told(
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
  question: Asked
  value: Given
  onChange: (value: Given) => void
  mark?: Schemas['MarkView'] | null
  /** It was answered, and its mark is not told; or it cannot be answered any more. */
  closed?: boolean
  error: Error | null
  pending: boolean
  onAnswer: (value: Given) => void
}

/** The form of a question, whoever takes the answer. */
export function Form({ question, value, onChange, mark, closed, error, pending, onAnswer }: FormProps) {
  const ready = given(question, value)
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        if (ready !== undefined) onAnswer(ready)
      }}
    >
      {question.prompt && <Markdown source={question.prompt} />}
      {question.code && <Code source={question.code} />}
      <fieldset disabled={closed} style={{ margin: 0, padding: 0, border: 0, minWidth: 0 }}>
        <Fields question={question} value={value} onChange={onChange} {...(mark && { mark })} />
      </fieldset>
      {error && <Broken error={error} />}
      {mark && <Mark mark={mark} />}
      {!mark && !closed && (
        <Button type="submit" mt="lg" disabled={ready === undefined} loading={pending}>
          Answer
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
      title={mark.right ? '✓ Right' : '✗ Not right'}
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
