import type { Schemas } from '@/api/client'
import type { TranscriptEvent } from '../requests'

/** A line of the transcript: an event of the room, or a private note. */
export type Entry =
  | (TranscriptEvent & { note?: undefined })
  | { id: string; at: string; kind: 'note'; note: Schemas['RoomNoteView'] }

/** An entry with its place on the timeline of the recording. */
export type Placed = Entry & { place: number }

/** Events and notes in the order of their times. */
export function entriesOf(events: TranscriptEvent[], notes: Schemas['RoomNoteView'][]): Entry[] {
  const written = notes.map(note => ({ id: note.id, at: note.at, kind: 'note' as const, note }))
  return [...events, ...written].sort((one, two) => Date.parse(one.at) - Date.parse(two.at))
}
