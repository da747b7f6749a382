import { Text } from '@mantine/core'
import { pluralize } from '@/shared/format/numbers'
import { formatClock } from '../clock'
import type { OpenedItem } from '../requests'

type Rules = NonNullable<OpenedItem['rules']>

const SEEN: Record<Rules['feedback'], string> = {
  everything: '',
  names: 'Results show the names of the tests.',
  verdict: 'Results show only the verdict.',
}

/** How many submissions are left, and when the next one is possible (`wait` in seconds); beside the buttons. */
export function SubmissionLimits({ rules, wait }: { rules: Rules; wait: number }) {
  const left =
    rules.left !== null &&
    (rules.left === 0
      ? 'No submissions left: changes from here on do not count'
      : `${rules.left} of ${pluralize(rules.submissions ?? 0, 'submission')} left`)
  const pause = wait > 0 && `next in ${formatClock(wait)}`
  const words = [left, pause].filter(Boolean).join(', ')
  if (!words) return null
  return (
    <Text size="sm" c="dimmed">
      {words}
    </Text>
  )
}

/** The rules of the item in words, for the statement. */
export function describeSubmissionRules(rules: Rules | null | undefined): string {
  if (!rules) return ''
  return [
    rules.submissions !== null && `You can submit ${pluralize(rules.submissions, 'answer')}.`,
    rules.pause_s !== null &&
      rules.submissions !== 1 &&
      `Wait ${pluralize(rules.pause_s, 'second')} between two submissions.`,
    SEEN[rules.feedback],
  ]
    .filter(Boolean)
    .join(' ')
}
