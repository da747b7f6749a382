import { type Status, statusOf, useProgress } from './requests'
import css from './Status.module.css'

/** An icon for each status: a filled disc with a tick, half a disc, or an empty one. */
export function StatusSign({ status }: { status: Status }) {
  return (
    <svg
      width="15"
      height="15"
      viewBox="0 0 16 16"
      aria-hidden="true"
      className={css.sign}
      data-status={status}
    >
      <circle
        cx="8"
        cy="8"
        r="6.6"
        fill={status === 'solved' ? 'currentColor' : 'none'}
        stroke="currentColor"
        strokeWidth="1.6"
      />
      {status === 'tried' && <path d="M8 1.4a6.6 6.6 0 0 1 0 13.2z" fill="currentColor" />}
      {status === 'solved' && (
        <path
          d="M4.7 8.3 7 10.6l4.4-5"
          fill="none"
          stroke="var(--g-surface)"
          strokeWidth="1.8"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      )}
    </svg>
  )
}

/** On a card: the status of the challenge; nothing if it was never tried. */
export function StatusMark({ slug }: { slug: string }) {
  const found = useProgress()
  const status = found ? statusOf(found, slug) : 'new'
  if (status === 'new') return null
  return (
    <span className={css.mark} data-status={status}>
      <StatusSign status={status} /> {status}
    </span>
  )
}

/** On a topic: how many of its challenges are solved; nothing until the first. */
export function SolvedCount({ slugs }: { slugs: string[] }) {
  const found = useProgress()
  const solved = slugs.filter(slug => found?.solved.includes(slug)).length
  if (solved === 0) return null
  const all = solved === slugs.length
  return (
    <span className={css.mark} data-status={all ? 'solved' : 'tried'}>
      <StatusSign status={all ? 'solved' : 'tried'} />{' '}
      {all ? 'solved' : `${solved} of ${slugs.length} solved`}
    </span>
  )
}
