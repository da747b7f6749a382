import { type Progress, type Status, statusOf } from './requests'
import { StatusSign } from './Status'
import css from './Status.module.css'

const STATUSES: Status[] = ['new', 'tried', 'solved']

interface Props {
  found: Progress
  slugs: string[]
  value: string
  onChange: (value: string | null) => void
}

/** Chips that filter the catalogue by new, tried or solved. They also serve as a legend for the icons. */
export function StatusFilter({ found, slugs, value, onChange }: Props) {
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
          <StatusSign status={status} /> {status}{' '}
          <span className={css.count}>{slugs.filter(slug => statusOf(found, slug) === status).length}</span>
        </button>
      ))}
    </fieldset>
  )
}
