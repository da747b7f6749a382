import type { Schemas } from '../api/client'
import { Chip } from './Chip'
import { STATES } from './words'

/** How an assessment stands. */
export function StateChip({ state }: { state: Schemas['AssessmentCard']['state'] }) {
  return <Chip tone={state === 'open' ? 'good' : state === 'draft' ? 'new' : undefined}>{STATES[state]}</Chip>
}
