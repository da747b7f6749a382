import css from './Status.module.css'

/** A share of solved challenges, as a bar and as text. */
export function ProgressBar({ solved, of, name }: { solved: number; of: number; name?: string }) {
  return (
    <div>
      <div className={css.bartext}>
        <span>{name ?? 'solved'}</span>
        <span>
          {solved} of {of}
        </span>
      </div>
      <div className={css.bar} aria-hidden="true">
        <span style={{ width: `${of ? (100 * solved) / of : 0}%` }} />
      </div>
    </div>
  )
}
