import { Link } from 'react-router'
import type { Schemas } from '@/api/client'
import { ProgressBar, SolvedCount, StatusMark, useProgress } from '@/features/progress'
import { pluralize } from '@/shared/format/numbers'
import { Inline } from '@/shared/markdown/Markdown'
import { Difficulty } from '@/shared/ui/Difficulty'
import css from './Cards.module.css'

export function ChallengeCard({ challenge }: { challenge: Schemas['ChallengeCard'] }) {
  return (
    <Link className={css.card} to={`/challenges/${challenge.slug}`}>
      <span className={css.section}>
        {challenge.section}
        <StatusMark slug={challenge.slug} />
      </span>
      <span className={css.title}>{challenge.title}</span>
      <p className={css.text}>
        {challenge.follow_up_to && `Follow-up to “${challenge.follow_up_to.title}”. `}
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
  /** Whether the card links to the topic's quiz. */
  quiz?: boolean
}

export function TopicCard({ topic, number, quiz }: OfTopic) {
  return (
    <Link className={css.card} to={`/topics/${topic.id}${quiz ? '/quiz' : ''}`}>
      <span className={css.section}>
        {topic.section}
        <SolvedCount slugs={topic.challenges} />
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
        {topic.challenges.length > 0 && <span>{pluralize(topic.challenges.length, 'challenge')}</span>}
        {topic.questions > 0 && <span>{pluralize(topic.questions, 'question')}</span>}
      </span>
    </Link>
  )
}

export function TrackCard({ track }: { track: Schemas['TrackCard'] }) {
  return (
    <Link className={css.card} to={`/tracks/${track.id}`}>
      <span className={css.title}>{track.title}</span>
      <p className={css.text}>{track.summary}</p>
      <span className={css.foot}>
        <span>{pluralize(track.topics, 'topic')}</span>
        <span>{pluralize(track.challenges, 'challenge')}</span>
        <span>{pluralize(track.questions, 'question')}</span>
      </span>
      <OfTrack id={track.id} />
    </Link>
  )
}

/** How much of a track is solved; nothing until the first solve. */
function OfTrack({ id }: { id: string }) {
  const found = useProgress()?.tracks.find(each => each.id === id)
  return found && found.solved > 0 ? <ProgressBar solved={found.solved} of={found.challenges} /> : null
}
