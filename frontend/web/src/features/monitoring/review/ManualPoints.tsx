import { Button, Group, NumberInput, SegmentedControl, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Schemas } from '@/api/client'
import { formatPoints } from '@/shared/format/numbers'
import { ConfirmDialog } from '@/shared/forms/ConfirmDialog'
import { type Item, type Person, review, usePoints } from '../requests'
import css from './CandidateReport.module.css'

type Entry = Schemas['ManualView']
type Mode = 'add' | 'set'

/** Says that a score includes manual points. Renders nothing if there are none. */
export function ManualPointsNote({ item }: { item: Item }) {
  if (!item.manual || item.is_text) return null
  return <span className={css.byHand}>{formatPoints(item.score)} from the tests</span>
}

const spoken = (entry: Entry) => {
  if (entry.mode === 'none') return 'removed the manual points'
  if (entry.mode === 'set') return `set the score to ${formatPoints(entry.points)}`
  return entry.points < 0
    ? `subtracted ${formatPoints(-entry.points)}`
    : `added ${formatPoints(entry.points)}`
}

/** An item's manual points: all entries with their reasons, and a form for a new one. */
export function ManualPoints({ of, item }: { of: Person; item: Item }) {
  const [open, setOpen] = useState(false)
  const entries =
    useQuery(review(of)).data?.points.find(each => each.position === item.position)?.entries ?? []
  return (
    <div className={css.hand}>
      {entries.map((entry, place) => (
        <p key={entry.id} className={css.entry} data-past={place > 0 || undefined}>
          <b>{entry.by ?? 'A former member'}</b> {spoken(entry)}
          {entry.reason && `: ${entry.reason}`}
        </p>
      ))}
      <Button
        variant={item.is_text && item.to_review > 0 ? 'light' : 'subtle'}
        size="compact-sm"
        onClick={() => setOpen(true)}
      >
        {item.is_text
          ? item.to_review > 0 || !item.manual
            ? 'Give points'
            : 'Edit points'
          : item.manual
            ? 'Edit manual points'
            : 'Add manual points'}
      </Button>
      {open && <Form of={of} item={item} seen={entries[0]} onClose={() => setOpen(false)} />}
    </div>
  )
}

function Form(props: { of: Person; item: Item; seen?: Entry; onClose: () => void }) {
  const { of, item, seen, onClose } = props
  const give = usePoints(of, item.position)
  const [mode, setMode] = useState<Mode>(seen?.mode === 'set' || item.is_text ? 'set' : 'add')
  const [value, setValue] = useState<string | number>(seen?.points ?? 0)
  const [reason, setReason] = useState('')
  const send = (body: { mode: Schemas['NewPoints']['mode']; points: number; reason: string }) =>
    give.mutate({ ...body, seen: seen?.id ?? null }, { onSuccess: onClose })
  return (
    <ConfirmDialog
      title={`${item.is_text ? 'Points' : 'Manual points'}: ${item.title}`}
      label="Save"
      onClose={onClose}
      onSend={() => typeof value === 'number' && send({ mode, points: value, reason })}
      busy={give.isPending}
      error={give.error}
      disabled={typeof value !== 'number' || !reason.trim()}
    >
      {!item.is_text && (
        <SegmentedControl
          fullWidth
          aria-label="How the points count"
          value={mode}
          onChange={next => setMode(next as Mode)}
          data={[
            { value: 'add', label: `Add to the test score of ${formatPoints(item.score)}` },
            { value: 'set', label: 'Replace the test score' },
          ]}
        />
      )}
      <NumberInput
        mt="md"
        label="Points"
        description={`In steps of 0.25. The item is worth ${item.points} in total.`}
        min={mode === 'add' ? -item.points : 0}
        max={item.points}
        step={0.25}
        value={value}
        onChange={setValue}
      />
      <Textarea
        mt="md"
        label="Reason"
        description="Your team sees it next to the score."
        required
        autosize
        minRows={2}
        maxLength={1000}
        value={reason}
        onChange={event => setReason(event.currentTarget.value)}
      />
      {item.manual && (
        <Group mt="md">
          <Button
            variant="default"
            size="xs"
            onClick={() => send({ mode: 'none', points: 0, reason: '' })}
            loading={give.isPending}
          >
            Remove manual points
          </Button>
        </Group>
      )}
    </ConfirmDialog>
  )
}
