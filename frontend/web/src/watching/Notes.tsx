import { Button, Group, Text, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { when } from '../account/when'
import type { Schemas } from '../api/client'
import { Broken, Loaded } from '../parts/States'
import { notes, type Person, useNote } from './queries'
import css from './Report.module.css'

type Note = Schemas['NoteView']

const MOST = 5000

/** What members of the team noted. Everybody reads all, and changes his own. */
export function Notes({ of }: { of: Person }) {
  const query = useQuery(notes(of))
  return (
    <>
      <Loaded query={query}>{all => all.map(note => <One key={note.id} of={of} note={note} />)}</Loaded>
      <Writing of={of} label="New note" send="Add the note" />
    </>
  )
}

function One({ of, note }: { of: Person; note: Note }) {
  const [editing, setEditing] = useState(false)
  const change = useNote(of)
  if (editing)
    return <Writing of={of} note={note} label="Note" send="Save the note" onDone={() => setEditing(false)} />
  return (
    <article className={css.note}>
      <Text size="sm" c="dimmed">
        <b>{note.yours ? 'You' : (note.author ?? 'A former member')}</b>, {when(note.created_at)}
        {note.edited_at && ', changed'}
      </Text>
      <p dir="auto">{note.text}</p>
      {note.yours && (
        <Group gap={4}>
          <Button size="compact-xs" variant="subtle" onClick={() => setEditing(true)}>
            Change
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
      {change.error && <Broken error={change.error} />}
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
        placeholder="For the team; the candidate never sees it"
        autosize
        minRows={2}
        maxRows={14}
        maxLength={MOST}
        dir="auto"
        value={text}
        onChange={event => setText(event.currentTarget.value)}
      />
      {write.error && <Broken error={write.error} />}
      <Group mt="xs" gap="xs">
        <Button type="submit" size="xs" disabled={!text.trim()} loading={write.isPending}>
          {send}
        </Button>
        {onDone && (
          <Button size="xs" variant="default" onClick={onDone}>
            Not now
          </Button>
        )}
      </Group>
    </form>
  )
}
