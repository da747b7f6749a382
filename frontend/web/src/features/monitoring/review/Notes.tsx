import { Button, Group, Text, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Schemas } from '@/api/client'
import { formatDateTime } from '@/shared/format/dates'
import { ErrorMessage, Loaded } from '@/shared/ui/QueryStates'
import { notes, type Person, useNote } from '../requests'
import css from './CandidateReport.module.css'

type Note = Schemas['NoteView']

const MOST = 5000

/** The team's notes. Every member reads all of them and edits their own. */
export function Notes({ of }: { of: Person }) {
  const query = useQuery(notes(of))
  return (
    <>
      <Loaded query={query}>{all => all.map(note => <One key={note.id} of={of} note={note} />)}</Loaded>
      <Writing of={of} label="New note" send="Add note" />
    </>
  )
}

function One({ of, note }: { of: Person; note: Note }) {
  const [editing, setEditing] = useState(false)
  const change = useNote(of)
  if (editing)
    return <Writing of={of} note={note} label="Note" send="Save note" onDone={() => setEditing(false)} />
  return (
    <article className={css.note}>
      <Text size="sm" c="dimmed">
        <b>{note.yours ? 'You' : (note.author ?? 'A former member')}</b>, {formatDateTime(note.created_at)}
        {note.edited_at && ', edited'}
      </Text>
      <p dir="auto">{note.text}</p>
      {note.yours && (
        <Group gap={4}>
          <Button size="compact-xs" variant="subtle" onClick={() => setEditing(true)}>
            {' '}
            Edit{' '}
          </Button>
          <Button
            size="compact-xs"
            variant="subtle"
            color="gray"
            loading={change.isPending}
            onClick={() => change.mutate({ id: note.id })}
          >
            Delete
          </Button>
        </Group>
      )}
      {change.error && <ErrorMessage error={change.error} />}
    </article>
  )
}

interface WritingProps {
  of: Person
  note?: Note
  label: string
  send: string
  onDone?: () => void
}

function Writing({ of, note, label, send, onDone }: WritingProps) {
  const [text, setText] = useState(note?.text ?? '')
  const write = useNote(of)
  const done = () => {
    setText('')
    onDone?.()
  }
  return (
    <form
      className={css.writing}
      onSubmit={event => {
        event.preventDefault()
        write.mutate({ id: note?.id, text }, { onSuccess: done })
      }}
    >
      <Textarea
        label={label}
        placeholder="Only your team can see this note"
        autosize
        minRows={2}
        maxRows={14}
        maxLength={MOST}
        dir="auto"
        value={text}
        onChange={event => setText(event.currentTarget.value)}
      />
      {write.error && <ErrorMessage error={write.error} />}
      <Group mt="xs" gap="xs">
        <Button type="submit" size="xs" disabled={!text.trim()} loading={write.isPending}>
          {send}
        </Button>
        {onDone && (
          <Button size="xs" variant="default" onClick={onDone}>
            Cancel
          </Button>
        )}
      </Group>
    </form>
  )
}
