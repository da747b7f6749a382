import { formatPercent } from '@/shared/format/numbers'

/** With fewer submissions than this, the share of accepted ones says little about a challenge. */
const ENOUGH = 20

/** How many submissions of everybody on this site are accepted; empty if there are too few of them. */
export const describeAccepted = ({
  accepted,
  submissions,
}: {
  accepted: number
  submissions: number
}): string => (submissions < ENOUGH ? '' : `${formatPercent(accepted / submissions)} of submissions accepted`)
