/** What comes after today's last card: reviews that become due, and the new cards of tomorrow. */
import type { Schemas } from '@/api/client'
import { formatCount, pluralize } from '@/shared/format/numbers'
import { formatDueDate } from './intervals'

type Coming = Pick<Schemas['RevisionView'], 'next_due_at' | 'unlearnt' | 'new_per_day'>

export function describeNext({ next_due_at, unlearnt, new_per_day }: Coming, now = new Date()): string {
  const due = next_due_at ? new Date(next_due_at) : null
  const fresh = Math.min(unlearnt, new_per_day)
  const tomorrow = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1)
  if (fresh > 0 && (!due || due >= tomorrow))
    return `Next: tomorrow, ${fresh > 1 ? 'up to ' : ''}${pluralize(fresh, 'new card')}.`
  return due ? `Next: ${formatDueDate(due, now)}.` : 'Nothing is due.'
}

export function describeUnlearnt({ unlearnt, new_per_day }: Coming): string {
  if (unlearnt === 0) return ''
  const left = `${pluralize(unlearnt, 'new card')} left`
  if (new_per_day === 0) return `${left}, none a day: change this under Options.`
  return unlearnt > new_per_day ? `${left}, ${formatCount(new_per_day)} a day.` : `${left}.`
}
