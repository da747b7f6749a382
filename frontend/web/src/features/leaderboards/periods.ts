/** Names of the periods of boards. */
const UTC = { timeZone: 'UTC' } as const
const month = new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric', ...UTC })
const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric', ...UTC })
const DAY_MS = 86_400_000

export const WINDOWS = [
  { value: 'week', label: 'This week' },
  { value: 'month', label: 'This month' },
  { value: 'all', label: 'All time' },
]

/** 2026-W47 → «Week 47, 2026», 2026-11 → «November 2026». */
export function periodName(period: string): string {
  const [year = '', part = ''] = period.split('-')
  return part.startsWith('W')
    ? `Week ${Number(part.slice(1))}, ${year}`
    : month.format(new Date(`${period}-01`))
}

/** The first and the last day of a week, given when it begins and ends. */
export const daysOfWeek = (begins: string, ends: string) =>
  day.formatRange(new Date(begins), new Date(new Date(ends).getTime() - DAY_MS))

/** The period as the end of a sentence, such as «this week (since Monday, UTC)»; empty for all time. */
export function duringPeriod(window: string): string {
  const fixed: Record<string, string> = {
    week: 'this week (since Monday, UTC)',
    month: 'this month (UTC)',
    all: '',
  }
  return fixed[window] ?? `in ${periodName(window).replace(/^Week/, 'week')} (UTC)`
}
