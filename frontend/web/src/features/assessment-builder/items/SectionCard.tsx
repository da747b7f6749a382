import { Button, Group, NativeSelect, Paper, Text, TextInput } from '@mantine/core'
import { IconMessageQuestion, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { pluralize } from '@/shared/format/numbers'
import css from '../Builder.module.css'
import { usePlanContext } from '../context'
import { NumberField } from '../NumberField'
import { POLICIES, type Policy } from '../plan/assistant'
import { applyChange, type Step } from '../plan/changes'
import { LIMITS, type Section } from '../plan/form'
import { choiceOf, EMPTY_QUESTION, itemsBefore, QUESTION_POINTS } from '../plan/questions'
import { formatPointsRange, sectionTotals } from '../plan/totals'
import { offeredAssistant } from '../requests'
import { ItemPicker } from './ItemPicker'
import { ItemRow } from './ItemRow'
import { byArrow, focusAfter, MoveButtons } from './MoveButtons'
import { QuestionDialog } from './QuestionDialog'

/** A section: its title, its own time limit, how many of its items are drawn, and the items. */
export function SectionCard({ section, place }: { section: Section; place: number }) {
  const { form, change, problem, things, teamId } = usePlanContext()
  const offered = useQuery(offeredAssistant(teamId)).data
  const [picking, setPicking] = useState(false)
  const [asking, setAsking] = useState(false)
  const id = `section-${section.key}`
  const name = section.title || `section ${place + 1}`
  const move = (by: Step) => change({ do: 'move section', section: section.key, by })
  const can = (by: Step) => applyChange(form, { do: 'move section', section: section.key, by }) !== form
  const set = (fields: Partial<Section>) => change({ do: 'set section', section: section.key, fields })
  const { items, points } = sectionTotals(section, things)
  return (
    <Paper
      component="section"
      aria-label={`Section ${place + 1}: ${name}`}
      radius="md"
      className={css.card}
      onKeyDown={byArrow(id, can, move)}
    >
      <div className={css.head}>
        <TextInput
          id={`${id}-title`}
          className={css.title}
          label={`Section ${place + 1}`}
          placeholder="Title, for example Tensors"
          maxLength={120}
          value={section.title}
          error={problem(`sections.${place}.title`)}
          onChange={event => set({ title: event.currentTarget.value })}
        />
        <MoveButtons
          name={name}
          id={id}
          can={can}
          move={move}
          remove={() => {
            focusAfter(() => change({ do: 'remove section', section: section.key }, name), 'add-section')
          }}
        />
      </div>
      <div className={css.rules}>
        <NumberField
          optional
          label="Section time limit (min)"
          placeholder="None"
          max={LIMITS.minutes}
          value={section.minutes}
          error={problem(`sections.${place}.minutes`)}
          onChange={minutes => set({ minutes })}
        />
        <NativeSelect
          label="Each candidate gets"
          data={draws(section)}
          value={section.draw ?? ''}
          error={problem(`sections.${place}.draw`)}
          onChange={event => set({ draw: Number(event.currentTarget.value) || null })}
        />
        <NativeSelect
          label="AI assistant"
          data={Object.entries(POLICIES).map(([value, label]) => ({
            value,
            label: value === 'provided' && offered === null ? 'Provided: not set up on this site' : label,
            disabled: value === 'provided' && offered === null,
          }))}
          value={section.assistant}
          error={problem(`sections.${place}.assistant`)}
          onChange={event => set({ assistant: event.currentTarget.value as Policy })}
        />
      </div>
      {section.assistant === 'provided' && offered && (
        <Text size="sm" c="dimmed" mt="xs" mb="sm">
          Candidates can ask {offered.model}, with {offered.tokens.toLocaleString()} tokens for the whole
          assessment. The conversation is part of their report. Quizzes and questions have no chat.
        </Text>
      )}
      <ol className={css.items}>
        {section.items.map((item, at) => (
          <ItemRow key={item.key} item={item} section={section} field={`sections.${place}.items.${at}`} />
        ))}
      </ol>
      {problem(`sections.${place}.items`) && (
        <Text size="sm" c="var(--g-bad)" mb="xs">
          {problem(`sections.${place}.items`)}
        </Text>
      )}
      <Group justify="space-between" gap="xs">
        <div className={css.adders}>
          <Button
            id={`${id}-add`}
            size="xs"
            variant="light"
            leftSection={<IconPlus size={15} />}
            disabled={section.items.length >= LIMITS.items}
            onClick={() => setPicking(true)}
          >
            Add items
          </Button>
          <Button
            size="xs"
            variant="light"
            leftSection={<IconMessageQuestion size={15} />}
            disabled={section.items.length >= LIMITS.items}
            onClick={() => setAsking(true)}
          >
            Add question
          </Button>
        </div>
        <Text size="sm" c="dimmed">
          {pluralize(items, 'item')}, {formatPointsRange(points)}
        </Text>
      </Group>
      {picking && (
        <ItemPicker
          title={`Add to ${name}`}
          full={section.items.length >= LIMITS.items}
          onPick={thing =>
            change({ do: 'add item', section: section.key, choice: thing.choice, points: thing.points })
          }
          onClose={() => setPicking(false)}
        />
      )}
      {asking && (
        <QuestionDialog
          title={`Question for ${name}`}
          start={EMPTY_QUESTION}
          before={itemsBefore(form, section.key)}
          things={things}
          onSave={question => {
            const choice = choiceOf(form, question)
            change({ do: 'add item', section: section.key, choice, points: QUESTION_POINTS })
            setAsking(false)
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </Paper>
  )
}

function draws({ draw, items }: Section) {
  const most = Math.max(items.length - 1, draw ?? 0)
  const some = Array.from({ length: most }, (_, at) => at + 1)
  return [
    { value: '', label: 'All items, in this order' },
    ...some.map(count => ({ value: String(count), label: `${count} of ${items.length}, drawn at random` })),
  ]
}
