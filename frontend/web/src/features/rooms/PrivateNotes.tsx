import { Button, SegmentedControl, Text, Textarea, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Schemas } from '@/api/client'
import { ErrorMessage, Loaded } from '@/shared/ui/QueryStates'
import css from './Rooms.module.css'
import { review, useAddNote, useDeleteNote, useScore } from './requests'

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' })

/** The private notes and the rubric. Neither ever leaves the service for candidates and observers. */
export function PrivateNotes({ roomId }: { roomId: string }) {
  const query = useQuery(review(roomId))
  return (
    <Loaded query={query}>
      {found => (
        <>
          <Text size="sm" c="dimmed" mb="md">
            Only interviewers see this.
          </Text>
          <NoteForm roomId={roomId} />
          <ul className={css.notes}>
            {found.notes.map(each => (
              <Note key={each.id} roomId={roomId} note={each} />
            ))}
          </ul>
          {found.criteria.length > 0 && (
            <Title order={2} fz="1.1rem" mt="xl" mb="sm">
              Rubric
            </Title>
          )}
          {found.criteria.map((each, place) => (
            <Criterion key={each.title} roomId={roomId} place={place} criterion={each} />
          ))}
        </>
      )}
    </Loaded>
  )
}

function NoteForm({ roomId }: { roomId: string }) {
  const [text, setText] = useState('')
  const add = useAddNote(roomId)
  const send = () => text.trim() && add.mutate(text, { onSuccess: () => setText('') })
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        send()
      }}
    >
      <Textarea
        label="New note"
        description="Ctrl+Enter adds it with the current time."
        autosize
        minRows={2}
        maxRows={10}
        maxLength={5000}
        value={text}
        onChange={event => setText(event.currentTarget.value)}
        onKeyDown={event => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send()
        }}
      />
      {add.error && <ErrorMessage error={add.error} />}
      <Button type="submit" size="xs" mt="xs" loading={add.isPending} disabled={!text.trim()}>
        Add note
      </Button>
    </form>
  )
}

function Note({ roomId, note }: { roomId: string; note: Schemas['RoomNoteView'] }) {
  const remove = useDeleteNote(roomId)
  return (
    <li>
      <Text size="sm" c="dimmed">
        <b>{note.yours ? 'You' : (note.author ?? 'A former member')}</b>, {clock.format(new Date(note.at))}
        {note.yours && (
          <Button
            size="compact-xs"
            variant="subtle"
            color="gray"
            ml={6}
            loading={remove.isPending}
            onClick={() => remove.mutate(note.id)}
          >
            Delete
          </Button>
        )}
      </Text>
      <p dir="auto">{note.text}</p>
      {remove.error && <ErrorMessage error={remove.error} />}
    </li>
  )
}

function Criterion(props: { roomId: string; place: number; criterion: Schemas['RoomCriterion'] }) {
  const { roomId, place, criterion } = props
  const score = useScore(roomId)
  const mine = criterion.scores.find(each => each.yours)
  const others = criterion.scores.filter(each => !each.yours)
  const levels = Array.from({ length: criterion.levels + 1 }, (_, level) => String(level))
  return (
    <div className={css.criterion}>
      <span id={`criterion-${place}`}>{criterion.title}</span>
      <SegmentedControl
        size="xs"
        aria-labelledby={`criterion-${place}`}
        data={[{ value: '', label: 'None' }, ...levels]}
        value={mine ? String(mine.level) : ''}
        onChange={value => score.mutate({ criterion: place, level: value === '' ? null : Number(value) })}
      />
      {others.length > 0 && (
        <Text size="sm" c="dimmed">
          {others.map(each => `${each.reviewer ?? 'A former member'}: ${each.level}`).join(', ')}
        </Text>
      )}
      {score.error && <ErrorMessage error={score.error} />}
    </div>
  )
}
