import { Button, Group, NativeSelect, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Dialog } from '@/shared/ui/Dialog'
import { MarkdownField } from '../MarkdownField'
import type { AvailableItems } from '../plan/availableItems'
import { choiceTitle, type Item } from '../plan/form'
import {
  ANSWER_TYPES,
  type AnswerType,
  type Draft,
  emptyAnswer,
  QUESTION_LIMITS,
  questionErrors,
} from '../plan/questions'
import { ExpectedAnswer } from './ExpectedAnswer'

interface Props {
  title: string
  start: Draft
  /** The items that the question can be about. */
  before: Item[]
  things: AvailableItems | null
  onSave: (question: Draft) => void
  onClose: () => void
}

/** The editor of a question. Nothing is kept until the author saves. */
export function QuestionDialog({ title, start, before, things, onSave, onClose }: Props) {
  const [draft, setDraft] = useState(start)
  const [tried, setTried] = useState(false)
  const errors = tried ? questionErrors(draft) : {}
  const set = (fields: Partial<Draft>) => setDraft(old => ({ ...old, ...fields }))
  const setType = (type: AnswerType) =>
    set({
      answer: type === start.answer.type ? start.answer : emptyAnswer(type),
      ...(type !== 'text' && { about: null }),
    })
  const save = () => {
    setTried(true)
    if (Object.keys(questionErrors(draft)).length === 0) onSave(draft)
  }
  return (
    <Dialog title={title} size="lg" onClose={onClose}>
      <form
        noValidate
        onSubmit={event => {
          event.preventDefault()
          save()
        }}
      >
        <Stack gap="md">
          <TextInput
            data-autofocus
            label="Title"
            placeholder="For example: Your choice of mask"
            maxLength={QUESTION_LIMITS.title}
            value={draft.title}
            error={errors.title}
            onChange={event => set({ title: event.currentTarget.value })}
          />
          <MarkdownField
            id="question-prompt"
            label="Question"
            placeholder="Markdown, with $formulas$ and `code`"
            minRows={4}
            maxRows={16}
            maxLength={QUESTION_LIMITS.prompt}
            value={draft.prompt}
            error={errors.prompt}
            onChange={prompt => set({ prompt })}
          />
          <div>
            <Text size="sm" fw={500} mb={4} id="answer-type">
              Candidates answer with
            </Text>
            <SegmentedControl
              fullWidth
              aria-labelledby="answer-type"
              data={Object.entries(ANSWER_TYPES).map(([value, label]) => ({ value, label }))}
              value={draft.answer.type}
              onChange={value => setType(value as AnswerType)}
            />
          </div>
          <ExpectedAnswer answer={draft.answer} errors={errors} onChange={answer => set({ answer })} />
          {draft.answer.type === 'text' && (
            <NativeSelect
              label="About the candidate’s own code"
              description="Candidates see their code beside the text field and mark the lines that they write about."
              data={[
                { value: '', label: 'No' },
                ...before.map(item => ({
                  value: item.key,
                  label: item.choices.map(choice => choiceTitle(choice, things)).join(' or '),
                })),
                ...(draft.about && before.every(item => item.key !== draft.about)
                  ? [{ value: draft.about, label: `${draft.about} (not before this question)` }]
                  : []),
              ]}
              value={draft.about ?? ''}
              onChange={event => set({ about: event.currentTarget.value || null })}
            />
          )}
        </Stack>
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit">Save question</Button>
        </Group>
      </form>
    </Dialog>
  )
}
