import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useMemo, useState } from 'react'
import { Loaded } from '../parts/States'
import { Marks } from './Marks'
import css from './Playback.module.css'
import { edits, type Item, type Person, signals } from './queries'
import { doneAt, lastText, lineOf, placeOf, type Recording, recorded, textAfter } from './record'
import { Transport } from './Transport'
import { usePlaying } from './usePlaying'
import { counted, many } from './words'

const Screen = lazy(() => import('./Screen'))

/** How an item was written, played back; loaded when somebody asks for it. */
export function Playback({ of, item }: { of: Person; item: Item }) {
  const [wanted, setWanted] = useState(false)
  const revision = item.draft?.revision ?? 0
  const query = useQuery({ ...edits(of, item.position, revision), enabled: wanted && revision > 0 })
  const recording = useMemo(
    () => query.data && recorded(item.starter, query.data),
    [query.data, item.starter],
  )
  if (!item.draft || revision === 0) return null
  if (!wanted)
    return (
      <Button variant="default" size="xs" onClick={() => setWanted(true)}>
        Play back how it was written
      </Button>
    )
  return (
    <section className={css.playback} aria-label={`Playback of ${item.title}`}>
      <Loaded query={query}>
        {() =>
          recording?.steps.length ? (
            <Player of={of} item={item} recording={recording} />
          ) : (
            <Text size="sm" c="dimmed">
              Nothing was recorded here: edits are not among what this assessment records.
            </Text>
          )
        }
      </Loaded>
    </section>
  )
}

function Player({ of, item, recording }: { of: Person; item: Item; recording: Recording }) {
  const [speed, setSpeed] = useState(4)
  const line = useMemo(() => lineOf(recording), [recording])
  const { place, playing, go, toggle } = usePlaying(line.length, speed)
  const noticed = useQuery(signals(of)).data ?? []
  const marks = noticed
    .filter(each => each.position === item.position)
    .flatMap(each => {
      const at = placeOf(recording, line, each)
      return at === undefined ? [] : [{ ...each, place: at }]
    })
  const done = doneAt(line, place)
  const last = recording.steps[done - 1]
  const text = useMemo(() => textAfter(recording, done), [recording, done])
  const ends = useMemo(() => lastText(recording) === item.draft?.source, [recording, item.draft?.source])
  return (
    <>
      <Transport playing={playing} onToggle={toggle} speed={speed} onSpeed={setSpeed}>
        <span>
          {counted((last?.t_ms ?? 0) / 1000)} after it was opened · edit {done.toLocaleString()} of{' '}
          {recording.steps.length.toLocaleString()}
        </span>
      </Transport>
      <Marks
        line={line}
        place={place}
        marks={marks}
        onGo={go}
        told={`${counted((last?.t_ms ?? 0) / 1000)}, edit ${done}`}
      />
      <div className={css.screen}>
        <Suspense fallback={<pre className={css.waiting}>{text}</pre>}>
          <Screen
            label={`${item.title}, as it was then`}
            text={text}
            fresh={{ from: last?.from ?? 0, to: (last?.from ?? 0) + (last?.text.length ?? 0) }}
          />
        </Suspense>
      </div>
      <Text size="xs" c="dimmed" mt={6}>
        {line.pauses.length > 0 && `${many(line.pauses.length, 'pause')} cut to two seconds. `}
        {recording.torn || !ends
          ? 'A part of this recording is missing, so what is shown may differ from what was there.'
          : 'The recording is whole: it ends with the text that was saved last.'}
      </Text>
    </>
  )
}
