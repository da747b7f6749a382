import { Button, Group, NumberInput, SegmentedControl, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Schemas } from '../api/client'
import { Ask } from './Ask'
import { type Item, type Person, review, usePoints } from './queries'
import css from './Report.module.css'
import { points } from './words'

type Entry = Schemas['ManualView']
type Mode = 'add' | 'set'

/** Says where points by hand are among a score; nothing where there are none. */
export function ByHand({ item }: { item: Item }) {
  if (!item.manual) return null
  return <span className={css.byHand}>{points(item.score)} by the tests</span>
}

const spoken = (entry: Entry) => {
  if (entry.mode === 'none') return 'took the points by hand back'
  if (entry.mode === 'set') return `set ${points(entry.points)} in place of the tests`
  return entry.points < 0 ? `took ${points(-entry.points)} off` : `added ${points(entry.points)}`
}

/** Points by hand of an item: every entry with its reason, and the way to another. */
export function Points({ of, item }: { of: Person; item: Item }) {
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
      <Button variant="subtle" size="compact-sm" onClick={() => setOpen(true)}>
        {item.manual ? 'Change the points by hand' : 'Give points by hand'}
      </Button>
      {open && <Form of={of} item={item} seen={entries[0]} onClose={() => setOpen(false)} />}
    </div>
  )
}

function Form(props: { of: Person; item: Item; seen?: Entry; onClose: () => void }) {
  const { of, item, seen, onClose } = props
  const give = usePoints(of, item.position)
  const [mode, setMode] = useState<Mode>(seen?.mode === 'set' ? 'set' : 'add')
  const [value, setValue] = useState<string | number>(seen?.points ?? 0)
  const [reason, setReason] = useState('')
  const send = (body: { mode: Schemas['NewPoints']['mode']; points: number; reason: string }) =>
    give.mutate({ ...body, seen: seen?.id ?? null }, { onSuccess: onClose })
  return (
    <Ask
      title={`Points by hand: ${item.title}`}
      label="Keep them"
      onClose={onClose}
      onSend={() => typeof value === 'number' && send({ mode, points: value, reason })}
      busy={give.isPending}
      error={give.error}
      disabled={typeof value !== 'number' || !reason.trim()}
    >
      <SegmentedControl
        fullWidth
        aria-label="How they count"
        value={mode}
        onChange={next => setMode(next as Mode)}
        data={[
          { value: 'add', label: `Added to the ${points(item.score)} of the tests` },
          { value: 'set', label: 'In their place' },
        ]}
      />
      <NumberInput
        mt="md"
        label="Points"
        description={`In quarters; the item has ${item.points} in all.`}
        min={mode === 'add' ? -item.points : 0}
        max={item.points}
        step={0.25}
        value={value}
        onChange={setValue}
      />
      <Textarea
        mt="md"
        label="Reason"
        description="The team reads it beside the score."
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
            Only the tests again
          </Button>
        </Group>
      )}
    </Ask>
  )
}
