import { IconBookmark } from '@tabler/icons-react'
import { type Progress, type Status, statusOf } from './requests'
import { StatusSign } from './Status'
import css from './Status.module.css'

const STATUSES: Status[] = ['new', 'tried', 'solved']

interface Props {
  found: Progress
  slugs: string[]
  bookmarks: string[]
  value: string
  onChange: (value: string | null) => void
}

/** Chips that filter the catalogue by new, tried, solved or bookmarked. They also serve as a legend for the icons. */
export function StatusFilter({ found, slugs, bookmarks, value, onChange }: Props) {
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
      <button
        type="button"
        className={css.chip}
        aria-pressed={value === 'bookmarked'}
        onClick={() => onChange(value === 'bookmarked' ? null : 'bookmarked')}
      >
        <IconBookmark size={15} /> bookmarked{' '}
        <span className={css.count}>{slugs.filter(slug => bookmarks.includes(slug)).length}</span>
      </button>
    </fieldset>
  )
}
