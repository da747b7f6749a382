import type { Row } from './queries'
import css from './Watching.module.css'
import { DECISIONS } from './words'

/** What was decided, as a word in a frame. */
export function Decided({ decision }: { decision: Row['decision'] }) {
  return (
    <span className={css.decided} data-decision={decision}>
      {DECISIONS[decision]}
    </span>
  )
}
