import { DECISIONS } from './labels'
import css from './Monitoring.module.css'
import type { Row } from './requests'

export function DecisionBadge({ decision }: { decision: Row['decision'] }) {
  return (
    <span className={css.decided} data-decision={decision}>
      {DECISIONS[decision]}
    </span>
  )
}
