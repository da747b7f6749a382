/** Short texts for intervals and due dates. */
const [MINUTE, HOUR, DAY] = [60, 3600, 86_400]

/** An interval, short enough for a button. */
export function formatInterval(seconds: number): string {
  if (seconds < HOUR) return `${Math.max(1, Math.round(seconds / MINUTE))} min`
  if (seconds < DAY) return `${Math.round(seconds / HOUR)} h`
  const days = Math.round(seconds / DAY)
  if (days < 31) return `${days} d`
  return days < 365 ? `${Math.round(days / 30)} mo` : '1 y'
}

/** When something is due, relative to now: «in 9 minutes», «tomorrow», «on Friday, 3 July». */
export function formatDueDate(moment: Date, now = new Date()): string {
  const minutes = Math.max(1, Math.ceil((moment.getTime() - now.getTime()) / 60_000))
  if (minutes < 60) return `in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1)
  if (moment < midnight) return 'later today'
  if (moment.getTime() < midnight.getTime() + DAY * 1000) return 'tomorrow'
  return `on ${moment.toLocaleDateString(undefined, { weekday: 'long', day: 'numeric', month: 'long' })}`
}
