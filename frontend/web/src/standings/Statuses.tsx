import { type Progress, type Status, statusOf } from './queries'
import { Sign } from './Status'
import css from './Status.module.css'

const STATUSES: Status[] = ['new', 'tried', 'solved']

interface Props {
  found: Progress
  slugs: string[]
  value: string
  onChange: (value: string | null) => void
}

/** Chips that narrow the catalogue to what is new, tried or solved; they are the legend of the signs too. */
export function Statuses({ found, slugs, value, onChange }: Props) {
  return (
    <fieldset className={css.chips} aria-label="Status">
      {STATUSES.map(status => (
        <button
          key={status}
          type="button"
          className={css.chip}
          aria-pressed={value === status}
          onClick={() => onChange(value === status ? null : status)}
        >
          <Sign status={status} /> {status}{' '}
          <span className={css.count}>{slugs.filter(slug => statusOf(found, slug) === status).length}</span>
        </button>
      ))}
    </fieldset>
  )
}
