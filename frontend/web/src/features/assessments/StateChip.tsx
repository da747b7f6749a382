import type { Schemas } from '@/api/client'
import { STATES } from '@/features/teams'
import { Chip } from '@/shared/ui/Chip'

export function StateChip({ state }: { state: Schemas['ListedAssessment']['state'] }) {
  return <Chip tone={state === 'open' ? 'good' : state === 'draft' ? 'new' : undefined}>{STATES[state]}</Chip>
}
