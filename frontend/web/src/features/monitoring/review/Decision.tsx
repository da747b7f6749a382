import { Alert, Button, Group, SegmentedControl, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import type { Schemas } from '@/api/client'
import { formatDateTime } from '@/shared/format/dates'
import { pluralize } from '@/shared/format/numbers'
import { ErrorMessage } from '@/shared/ui/QueryStates'
import { DecisionBadge } from '../DecisionBadge'
import { DECISIONS } from '../labels'
import { type Item, type Person, type Review, useRecordDecision } from '../requests'
import css from './CandidateReport.module.css'

type Word = Schemas['NewDecision']['decision']

const WORDS: Word[] = ['advance', 'hold', 'reject', 'none']

interface Props {
  of: Person
  review: Review
  items: Item[]
}

/**
 * The decision about a candidate: the current one, earlier ones, and a form for a new one. If answers have no final points yet,
 * a decision is possible, and a note says so.
 */
export function Decision({ of, review, items }: Props) {
  const [latest, ...earlier] = review.decisions
  const [open, setOpen] = useState(false)
  const [word, setWord] = useState<Word>('advance')
  const [reason, setReason] = useState('')
  const decide = useRecordDecision(of)
  const send = () =>
    decide.mutate(
      { decision: word, reason, seen: latest?.id ?? null },
      {
        onSuccess: () => {
          setOpen(false)
          setReason('')
        },
      },
    )
  return (
    <>
      <div className={css.decision}>
        <DecisionBadge decision={latest?.decision ?? 'none'} />
        {latest ? <By entry={latest} /> : <span className={css.soft}>No decision yet.</span>}
      </div>
      {latest && <Early entry={latest} />}
      {latest?.reason && <p className={css.entry}>{latest.reason}</p>}
      {earlier.length > 0 && (
        <details className={css.earlier}>
          <summary>Earlier decisions ({earlier.length})</summary>
          {earlier.map(each => (
            <p key={each.id} className={css.entry} data-past>
              <b>{DECISIONS[each.decision]}</b>, <By entry={each} />
              {each.reason && `: ${each.reason}`}
              <Early entry={each} />
            </p>
          ))}
        </details>
      )}
      <Pending items={items} />
      {open ? (
        <form
          onSubmit={event => {
            event.preventDefault()
            send()
          }}
        >
          <SegmentedControl
            fullWidth
            size="xs"
            mt="sm"
            aria-label="Decision"
            value={word}
            onChange={value => setWord(value as Word)}
            data={WORDS.map(value => ({ value, label: DECISIONS[value] }))}
          />
          <Textarea
            mt="xs"
            label="Reason"
            description="Optional. Your team can see it."
            autosize
            minRows={2}
            maxLength={1000}
            value={reason}
            onChange={event => setReason(event.currentTarget.value)}
          />
          {decide.error && <ErrorMessage error={decide.error} />}
          <Group mt="sm" gap="xs">
            <Button type="submit" size="xs" loading={decide.isPending}>
              {' '}
              Save decision{' '}
            </Button>
            <Button size="xs" variant="default" onClick={() => setOpen(false)}>
              Cancel
            </Button>
          </Group>
        </form>
      ) : (
        <Button size="xs" variant="default" mt="xs" onClick={() => setOpen(true)}>
          {latest ? 'Change decision' : 'Make a decision'}
        </Button>
      )}
    </>
  )
}

/** The answers that have no final points yet, with links to the texts. Renders nothing if there are none. */
function Pending({ items }: { items: Item[] }) {
  const texts = items.filter(each => each.to_review > 0)
  const judging = items.reduce((total, each) => total + each.unfinished, 0)
  if (texts.length === 0 && judging === 0) return null
  const said = [
    texts.length > 0 &&
      `${pluralize(texts.length, 'question')} ${texts.length === 1 ? 'has' : 'have'} no points yet`,
    judging > 0 && `${pluralize(judging, 'answer')} ${judging === 1 ? 'is' : 'are'} still being judged`,
  ]
  return (
    <Alert color="marigold" variant="light" mt="sm" title="The score is not final">
      <Text size="sm">
        {said.filter(Boolean).join(', and ')}. You can decide now; your decision then says that points were
        pending.
      </Text>
      {texts.map(each => (
        <Text key={each.position} size="sm" mt={4}>
          <a href={`#item-${each.position}`}>
            {each.position}. {each.title}
          </a>
        </Text>
      ))}
    </Alert>
  )
}

const Early = ({ entry }: { entry: Review['decisions'][number] }) =>
  entry.answers_pending > 0 && (
    <Text span display="block" size="sm" c="dimmed">
      {pluralize(entry.answers_pending, 'answer')} had no final points at that time.
    </Text>
  )

const By = ({ entry }: { entry: Review['decisions'][number] }) => (
  <Text span size="sm" c="dimmed">
    {entry.by ?? 'a former member'}, {formatDateTime(entry.at)}
  </Text>
)
