import { Text } from '@mantine/core'
import { Link, useSearchParams } from 'react-router'
import type { Schemas } from '../api/client'
import { VERDICTS } from '../challenge/verdicts'
import css from './Taking.module.css'
import { hourOf } from './time'

type Card = Schemas['SubmissionCard']

/** What was sent for an item, newest first; each shows its results beside. */
export function Answers({ sent }: { sent: Card[] }) {
  const [params] = useSearchParams()
  if (!sent.length) return <Text c="dimmed">Nothing yet. What you run and submit is listed here.</Text>
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
            <span className={css.soft}>{hourOf(each.created_at)}</span>
            <span className={css.state} data-state={kindOf(each)}>
              {wordOf(each)}
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
