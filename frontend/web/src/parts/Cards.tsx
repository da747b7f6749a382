import { Link } from 'react-router'
import type { Schemas } from '../api/client'
import { Bar } from '../standings/Bar'
import { useProgress } from '../standings/queries'
import { SolvedOf, StatusMark } from '../standings/Status'
import css from './Cards.module.css'
import { Difficulty } from './Difficulty'
import { Inline } from './Markdown'

const many = (count: number, one: string, more = `${one}s`) => `${count} ${count === 1 ? one : more}`

export function ChallengeCard({ challenge }: { challenge: Schemas['ChallengeCard'] }) {
  return (
    <Link className={css.card} data-level={challenge.difficulty} to={`/challenges/${challenge.slug}`}>
      <span className={css.section}>
        {challenge.section}
        <StatusMark slug={challenge.slug} />
      </span>
      <span className={css.title}>{challenge.title}</span>
      <p className={css.text}>
        <Inline source={challenge.summary} />
      </p>
      <span className={css.foot}>
        <Difficulty level={challenge.difficulty} />
        <span>{challenge.form === 'fix' ? 'fix' : 'write'}</span>
        <span>{challenge.minutes} min</span>
      </span>
    </Link>
  )
}

interface OfTopic {
  topic: Schemas['TopicCard']
  number?: number
  /** Whether the card leads to the topic's quiz. */
  quiz?: boolean
}

export function TopicCard({ topic, number, quiz }: OfTopic) {
  return (
    <Link className={css.card} data-level={topic.difficulty} to={`/topics/${topic.id}${quiz ? '/quiz' : ''}`}>
      <span className={css.section}>
        {topic.section}
        <SolvedOf slugs={topic.challenges} />
      </span>
      <span className={css.title}>
        {number !== undefined && `${number}. `}
        {topic.title}
      </span>
      <p className={css.text}>
        <Inline source={topic.purpose} />
      </p>
      <span className={css.foot}>
        <Difficulty level={topic.difficulty} />
        {topic.challenges.length > 0 && <span>{many(topic.challenges.length, 'challenge')}</span>}
        {topic.questions > 0 && <span>{many(topic.questions, 'question')}</span>}
      </span>
    </Link>
  )
}

export function TrackCard({ track }: { track: Schemas['TrackCard'] }) {
  return (
    <Link className={css.card} data-level="track" to={`/tracks/${track.id}`}>
      <span className={css.title}>{track.title}</span>
      <p className={css.text}>{track.summary}</p>
      <span className={css.foot}>
        <span>{many(track.topics, 'topic')}</span>
        <span>{many(track.challenges, 'challenge')}</span>
        <span>{many(track.questions, 'question')}</span>
      </span>
      <OfTrack id={track.id} />
    </Link>
  )
}

/** How much of a track is solved, once something is. */
function OfTrack({ id }: { id: string }) {
  const found = useProgress()?.tracks.find(each => each.id === id)
  return found && found.solved > 0 ? <Bar solved={found.solved} of={found.challenges} /> : null
}
