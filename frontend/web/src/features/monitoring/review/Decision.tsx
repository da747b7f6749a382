import { Button, Group, SegmentedControl, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import type { Schemas } from '@/api/client'
import { formatDateTime } from '@/shared/format/dates'
import { ErrorMessage } from '@/shared/ui/QueryStates'
import { DecisionBadge } from '../DecisionBadge'
import { DECISIONS } from '../labels'
import { type Person, type Review, useRecordDecision } from '../requests'
import css from './CandidateReport.module.css'

type Word = Schemas['NewDecision']['decision']

const WORDS: Word[] = ['advance', 'hold', 'reject', 'none']

/** The decision about a candidate: the current one, earlier ones, and a form for a new one. */
export function Decision({ of, review }: { of: Person; review: Review }) {
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
      {latest?.reason && <p className={css.entry}>{latest.reason}</p>}
      {earlier.length > 0 && (
        <details className={css.earlier}>
          <summary>Earlier decisions ({earlier.length})</summary>
          {earlier.map(each => (
            <p key={each.id} className={css.entry} data-past>
              <b>{DECISIONS[each.decision]}</b>, <By entry={each} />
              {each.reason && `: ${each.reason}`}
            </p>
          ))}
        </details>
      )}
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

const By = ({ entry }: { entry: Review['decisions'][number] }) => (
  <Text span size="sm" c="dimmed">
    {entry.by ?? 'a former member'}, {formatDateTime(entry.at)}
  </Text>
)
