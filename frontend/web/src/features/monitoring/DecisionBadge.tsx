import { DECISIONS } from './labels'
import css from './Monitoring.module.css'
import type { Row } from './requests'

interface Props {
  decision: Row['decision']
  /** How many answers have no final points yet. */
  pending?: number
}

/** A decision, and whether points are still pending. */
export function DecisionBadge({ decision, pending = 0 }: Props) {
  return (
    <span className={css.decided} data-decision={decision}>
      {DECISIONS[decision]}
      {decision !== 'none' && pending > 0 && ', points pending'}
    </span>
  )
}
