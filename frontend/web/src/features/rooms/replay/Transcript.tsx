import { Anchor, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { JudgingResults } from '@/features/judging'
import { Dialog } from '@/shared/ui/Dialog'
import { Loaded } from '@/shared/ui/QueryStates'
import { outcomeName } from '@/shared/verdicts'
import css from '../Rooms.module.css'
import { type Person, type Room, sentCode, type TranscriptEvent } from '../requests'
import type { Entry, Placed } from './entries'

interface Props {
  room: Room
  entries: Placed[]
  people: Person[]
  /** The id of the newest entry at the place that the recording shows. */
  now: string | undefined
  onGo: (place: number) => void
}

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' })

/** Everything that happened, beside the recording. Each line jumps to its time. */
export function Transcript({ room, entries, people, now, onGo }: Props) {
  const [shown, setShown] = useState('')
  return (
    <section aria-label="Transcript">
      <Title order={2} fz="1.1rem" mb="sm">
        Transcript
      </Title>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long transcript scrolls, also with the keyboard */}
      <ol className={css.transcript} tabIndex={0} aria-label="Events">
        {entries.map(each => (
          <li key={each.id} data-now={each.id === now || undefined}>
            <button
              type="button"
              className={css.event}
              data-kind={each.kind}
              aria-current={each.id === now || undefined}
              onClick={() => onGo(each.place)}
            >
              <time dateTime={each.at}>{clock.format(new Date(each.at))}</time>
              <span>{sentenceOf(each, room, people)}</span>
            </button>
            {each.kind !== 'note' && each.submission && (
              <Anchor
                component="button"
                type="button"
                size="sm"
                px={14}
                pb={8}
                onClick={() => setShown(each.submission?.id ?? '')}
              >
                Show the results of {clock.format(new Date(each.at))}
              </Anchor>
            )}
          </li>
        ))}
      </ol>
      <Dialog title="Results" size="xl" opened={shown !== ''} onClose={() => setShown('')}>
        {shown && <Results roomId={room.id} id={shown} />}
      </Dialog>
    </section>
  )
}

function sentenceOf(entry: Entry, room: Room, people: Person[]) {
  if (entry.kind === 'note') return `Note by ${entry.note.author ?? 'a former member'}: ${entry.note.text}`
  const who = people.find(each => each.id === entry.by)?.name ?? 'Somebody'
  const title = room.challenges.find(each => each.position === entry.position)?.title ?? 'a challenge'
  switch (entry.kind) {
    case 'created':
      return 'The room was created'
    case 'joined':
      return `${who} joined`
    case 'left':
      return `${who} left`
    case 'challenge':
      return `${who} showed “${title}”`
    case 'extension':
      return entry.text ? `${who} extended the statement: ${entry.text}` : `${who} removed the extension`
    case 'timer':
      return entry.minutes ? `${who} set the timer to ${entry.minutes} minutes` : `${who} stopped the timer`
    case 'ended':
      return `${who} ended the interview`
    default:
      return <Judged who={who} entry={entry} />
  }
}

function Judged({ who, entry }: { who: string; entry: TranscriptEvent }) {
  const sent = entry.submission
  const verdict = sent?.verdict
  return (
    <>
      {who} {entry.kind === 'run' ? 'ran the samples' : 'submitted'}
      {sent && verdict && (
        <>
          {': '}
          <b className={css.verdict} data-good={verdict === 'AC'}>
            {outcomeName(sent.kind, verdict)}
          </b>
        </>
      )}
    </>
  )
}

function Results({ roomId, id }: { roomId: string; id: string }) {
  const query = useQuery(sentCode(roomId, id))
  return (
    <Loaded query={query}>
      {end => (
        <JudgingResults state={{ phase: 'ended', id: end.id, kind: end.kind, end, tests: end.tests }} />
      )}
    </Loaded>
  )
}
