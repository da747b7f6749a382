import { Text } from '@mantine/core'
import { Link, useSearchParams } from 'react-router'
import type { Schemas } from '@/api/client'
import { VERDICTS } from '@/shared/verdicts'
import { formatTime } from '../clock'
import css from '../Participation.module.css'

type Card = Schemas['SubmissionCard']

interface Props {
  sent: Card[]
  /** Whether the verdicts of submitted answers are hidden. */
  held: boolean
}

/** The submissions for an item, newest first, each with its results. */
export function SentAnswers({ sent, held }: Props) {
  const [params] = useSearchParams()
  if (!sent.length)
    return <Text c="dimmed">No submissions yet. Your runs and submissions are listed here.</Text>
  const to = (id: string) => {
    const next = new URLSearchParams(params)
    next.set('answer', id)
    return `?${next}`
  }
  return (
    <ul className={css.rows}>
      {sent.map((each, place) => (
        <li key={each.id}>
          <Link
            className={css.row}
            to={to(each.id)}
            replace
            aria-current={params.get('answer') === each.id || undefined}
          >
            <span>{sent.length - place}</span>
            <span className={css.title}>{each.kind === 'run' ? 'Samples' : 'Submitted'}</span>
            <span className={css.soft}>{formatTime(each.created_at)}</span>
            <span className={css.state} data-state={kindOf(each)}>
              {held && each.kind === 'submit' ? 'submitted' : wordOf(each)}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

function wordOf(card: Card): string {
  if (card.status !== 'judged') return card.status === 'cancelled' ? 'cancelled' : 'being judged'
  return card.verdict ? VERDICTS[card.verdict].name : 'judged'
}

function kindOf({ verdict }: Card): string {
  if (!verdict) return 'none'
  return verdict === 'AC' ? 'good' : 'bad'
}
