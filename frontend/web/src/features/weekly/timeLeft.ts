import { pluralize } from '@/shared/format/numbers'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** «2 days 3 hours left»: the two largest units of a duration in milliseconds. */
export function timeLeft(ms: number): string {
  if (ms <= 0) return 'over'
  if (ms < MINUTE) return 'less than a minute left'
  const [unit, name, part, partName] =
    ms >= DAY ? ([DAY, 'day', HOUR, 'hour'] as const) : ([HOUR, 'hour', MINUTE, 'minute'] as const)
  const whole = Math.floor(ms / unit)
  const rest = Math.floor((ms % unit) / part)
  const words = [whole > 0 && pluralize(whole, name), rest > 0 && pluralize(rest, partName)]
  return `${words.filter(Boolean).join(' ')} left`
}
