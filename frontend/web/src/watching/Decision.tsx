import { Button, Group, SegmentedControl, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { when } from '../account/when'
import type { Schemas } from '../api/client'
import { Broken } from '../parts/States'
import { Decided } from './Decided'
import { type Person, type Review, useDecide } from './queries'
import css from './Report.module.css'
import { DECISIONS } from './words'

type Word = Schemas['NewDecision']['decision']

const WORDS: Word[] = ['advance', 'hold', 'reject', 'none']

/** What becomes of somebody: the decision that holds, those before it, and the way to another. */
export function Decision({ of, review }: { of: Person; review: Review }) {
  const [latest, ...earlier] = review.decisions
  const [open, setOpen] = useState(false)
  const [word, setWord] = useState<Word>('advance')
  const [reason, setReason] = useState('')
  const decide = useDecide(of)
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
        <Decided decision={latest?.decision ?? 'none'} />
        {latest ? <By entry={latest} /> : <span className={css.soft}>Nobody has decided yet.</span>}
      </div>
      {latest?.reason && <p className={css.entry}>{latest.reason}</p>}
      {earlier.length > 0 && (
        <details className={css.earlier}>
          <summary>Decided before ({earlier.length})</summary>
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
            description="Optional; the team reads it."
            autosize
            minRows={2}
            maxLength={1000}
            value={reason}
            onChange={event => setReason(event.currentTarget.value)}
          />
          {decide.error && <Broken error={decide.error} />}
          <Group mt="sm" gap="xs">
            <Button type="submit" size="xs" loading={decide.isPending}>
              Decide
            </Button>
            <Button size="xs" variant="default" onClick={() => setOpen(false)}>
              Not now
            </Button>
          </Group>
        </form>
      ) : (
        <Button size="xs" variant="default" mt="xs" onClick={() => setOpen(true)}>
          {latest ? 'Decide anew' : 'Decide'}
        </Button>
      )}
    </>
  )
}

const By = ({ entry }: { entry: Review['decisions'][number] }) => (
  <Text span size="sm" c="dimmed">
    {entry.by ?? 'a former member'}, {when(entry.at)}
  </Text>
)
