import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useMemo, useState } from 'react'
import type { Schemas } from '@/api/client'
import {
  doneAt,
  LazyPlaybackScreen,
  PlaybackControls,
  PositionSlider,
  placeOf,
  playbackStyles,
  textAfter,
  timelineOf,
  usePlayback,
} from '@/features/playback'
import { pluralize } from '@/shared/format/numbers'
import { Loaded } from '@/shared/ui/QueryStates'
import { colorOf } from '../connection/people'
import css from '../Rooms.module.css'
import { type Person, type Room, replay, review, transcript } from '../requests'
import { type Entry, entriesOf, type Placed } from './entries'
import { recordingOf } from './recordingOf'
import { Transcript } from './Transcript'

type Challenge = Schemas['RoomChallengeView']
type Steps = Schemas['ReplayStep'][]

/** The recording of one challenge of an interview. */
export function Replay({ room, challenge }: { room: Room; challenge: Challenge }) {
  const steps = useQuery(replay(room.id, challenge.position))
  const told = useQuery(transcript(room.id))
  const notes = useQuery(review(room.id)).data?.notes
  const entries = useMemo(
    () => (told.data ? entriesOf(told.data.events, notes ?? []) : []),
    [told.data, notes],
  )
  return (
    <Loaded query={steps}>
      {found => (
        <Loaded query={told}>
          {({ people }) => (
            <Player room={room} challenge={challenge} steps={found} entries={entries} people={people} />
          )}
        </Loaded>
      )}
    </Loaded>
  )
}

interface Props {
  room: Room
  challenge: Challenge
  steps: Steps
  entries: Entry[]
  people: Person[]
}

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' })

function Player({ room, challenge, steps, entries, people }: Props) {
  const [speed, setSpeed] = useState(4)
  const recording = useMemo(() => recordingOf(steps), [steps])
  const line = useMemo(() => timelineOf(recording), [recording])
  const { place, playing, go, toggle } = usePlayback(line.length, speed)
  const done = doneAt(line, place)
  const last = recording.steps[done - 1]
  const text = useMemo(() => textAfter(recording, done), [recording, done])
  const by = people.find(each => each.id === steps[done - 1]?.by)
  const moment = last?.batch ?? challenge.opened_at ?? room.created_at
  const placed = useMemo(
    () =>
      entries.map(each => ({
        ...each,
        place: placeOf(recording, line, { kind: 'event', at: each.at, size: 0 }) ?? 0,
      })),
    [entries, recording, line],
  )
  const now = placed.findLast(each => each.place <= place)?.id
  const where = `${clock.format(new Date(moment))}${by ? `, ${by.name}` : ''}`
  return (
    <div className={css.replay}>
      <section aria-label={`Replay of ${challenge.title}`}>
        <PlaybackControls playing={playing} onToggle={toggle} speed={speed} onSpeed={setSpeed}>
          <span>
            {clock.format(new Date(moment))} · edit {done.toLocaleString()} of{' '}
            {recording.steps.length.toLocaleString()}
          </span>{' '}
          {by && (
            <span className={css.who}>
              <span className={css.swatch} style={{ background: colorOf(by.color) }} />
              {by.name}
            </span>
          )}
        </PlaybackControls>
        <Marks length={line.length} entries={placed} />
        <PositionSlider length={line.length} place={place} valueText={where} onGo={go} />
        <div className={playbackStyles.screen}>
          <Suspense fallback={<pre className={playbackStyles.waiting}>{text}</pre>}>
            <LazyPlaybackScreen
              label={`${challenge.title}, at this point in the recording`}
              text={text}
              fresh={{ from: last?.from ?? 0, to: (last?.from ?? 0) + (last?.text.length ?? 0) }}
            />
          </Suspense>
        </div>
        <Text size="xs" c="dimmed" mt={6}>
          {line.pauses.length > 0 && `${pluralize(line.pauses.length, 'pause')} shortened to two seconds. `}
          {recording.torn
            ? 'Part of this recording is missing, so it may differ from what was written.'
            : 'The recording is complete.'}
        </Text>
      </section>
      <Transcript room={room} entries={placed} people={people} now={now} onGo={go} />
    </div>
  )
}

/** What happened, as marks above the timeline. The transcript says it in words. */
function Marks({ length, entries }: { length: number; entries: Placed[] }) {
  return (
    <div className={css.events} aria-hidden="true">
      {length > 0 &&
        entries.map(({ id, kind, place }) => (
          <span
            key={id}
            className={css.mark}
            data-kind={kind}
            style={{ left: `${(100 * place) / length}%` }}
          />
        ))}
    </div>
  )
}
