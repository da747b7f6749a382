import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useMemo, useState } from 'react'
import {
  playbackStyles as css,
  doneAt,
  LazyPlaybackScreen,
  lastText,
  PlaybackControls,
  placeOf,
  type Recording,
  textAfter,
  timelineOf,
  toRecording,
  usePlayback,
} from '@/features/playback'
import { pluralize } from '@/shared/format/numbers'
import { Loaded } from '@/shared/ui/QueryStates'
import { formatElapsed } from '../labels'
import { edits, type Item, type Person, sent, signals, transcript } from '../requests'
import { ConversationSoFar } from './ConversationSoFar'
import { eventsOf } from './events'
import { TimelineMarks } from './TimelineMarks'

interface Props {
  of: Person
  item: Item
  /** The candidate's name. */
  name: string
}

/** Plays back how an item was written. Loads the recording on request. */
export function Playback({ of, item, name }: Props) {
  const [wanted, setWanted] = useState(false)
  const revision = item.draft?.revision ?? 0
  const query = useQuery({ ...edits(of, item.position, revision), enabled: wanted && revision > 0 })
  const recording = useMemo(
    () => query.data && toRecording(item.starter, query.data),
    [query.data, item.starter],
  )
  if (!item.draft || revision === 0) return null
  if (!wanted)
    return (
      <Button variant="default" size="xs" mt="sm" display="block" onClick={() => setWanted(true)}>
        Play back edits
      </Button>
    )
  return (
    <section className={css.playback} aria-label={`Playback of ${item.title}`}>
      <Loaded query={query}>
        {() =>
          recording?.steps.length ? (
            <Player of={of} item={item} name={name} recording={recording} />
          ) : (
            <Text size="sm" c="dimmed">
              Nothing was recorded, because this assessment does not record edits.
            </Text>
          )
        }
      </Loaded>
    </section>
  )
}

function Player({ of, item, name, recording }: Props & { recording: Recording }) {
  const [speed, setSpeed] = useState(4)
  const line = useMemo(() => timelineOf(recording), [recording])
  const { place, playing, go, toggle } = usePlayback(line.length, speed)
  const noticed = useQuery(signals(of)).data ?? []
  const judged = useQuery(sent(of)).data ?? []
  const asked = useQuery(transcript(of, false)).data?.messages ?? []
  const messages = asked.filter(each => each.position === item.position)
  const marks = eventsOf(item, noticed, judged, messages).flatMap(each => {
    const at = placeOf(recording, line, each)
    return at === undefined ? [] : [{ ...each, place: at }]
  })
  const soFar = messages.filter(each => marks.some(mark => mark.id === each.id && mark.place <= place))
  const done = doneAt(line, place)
  const last = recording.steps[done - 1]
  const text = useMemo(() => textAfter(recording, done), [recording, done])
  const ends = useMemo(() => lastText(recording) === item.draft?.source, [recording, item.draft?.source])
  return (
    <>
      <PlaybackControls playing={playing} onToggle={toggle} speed={speed} onSpeed={setSpeed}>
        <span>
          {formatElapsed((last?.t_ms ?? 0) / 1000)} after the item was opened · edit {done.toLocaleString()}{' '}
          of {recording.steps.length.toLocaleString()}
        </span>
      </PlaybackControls>
      <TimelineMarks
        line={line}
        place={place}
        marks={marks}
        onGo={go}
        valueText={`${formatElapsed((last?.t_ms ?? 0) / 1000)}, edit ${done}`}
      />
      <div className={css.scene} data-talk={messages.length > 0 || undefined}>
        <div className={css.screen}>
          <Suspense fallback={<pre className={css.waiting}>{text}</pre>}>
            <LazyPlaybackScreen
              label={`${item.title}, at this point in the recording`}
              text={text}
              fresh={{ from: last?.from ?? 0, to: (last?.from ?? 0) + (last?.text.length ?? 0) }}
            />
          </Suspense>
        </div>
        {messages.length > 0 && <ConversationSoFar messages={soFar} name={name} />}
      </div>
      <Text size="xs" c="dimmed" mt={6}>
        {line.pauses.length > 0 && `${pluralize(line.pauses.length, 'pause')} shortened to two seconds. `}
        {recording.torn || !ends
          ? 'Part of this recording is missing, so it may differ from what the candidate wrote.'
          : 'The recording is complete. It ends with the last saved code.'}
      </Text>
    </>
  )
}
