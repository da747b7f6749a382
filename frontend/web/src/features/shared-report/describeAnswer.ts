import type { Schemas } from '@/api/client'
import { formatDateTime } from '@/shared/format/dates'
import { VERDICTS } from '@/shared/verdicts'

/** Which answer is shown, and how a later one did. */
export function describeAnswer(
  { verdict, created_at }: Pick<Schemas['SubmissionView'], 'verdict' | 'created_at'>,
  later: Schemas['SharedItem']['later'],
): string {
  const which = verdict && verdict !== 'JE' ? 'The answer that counts' : 'The last answer'
  const shown = `${which}, submitted ${formatDateTime(created_at)}.`
  if (!later) return shown
  const outcome = later.verdict ? VERDICTS[later.verdict].name : 'no verdict'
  return `${shown} The last answer, submitted ${formatDateTime(later.sent_at)}, does not count: ${outcome}.`
}
