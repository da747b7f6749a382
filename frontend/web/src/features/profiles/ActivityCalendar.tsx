import { Text } from '@mantine/core'
import { useCallback } from 'react'
import type { Schemas } from '@/api/client'
import { pluralize } from '@/shared/format/numbers'
import css from './Profile.module.css'

const DAY = 86_400_000
const WEEKS = 53
const STEPS = [1, 3, 6, 10]
const NAMES = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const UTC = { timeZone: 'UTC' } as const
const long = new Intl.DateTimeFormat(undefined, { dateStyle: 'long', ...UTC })
const short = new Intl.DateTimeFormat(undefined, { month: 'short', ...UTC })

/** A year of days as a table, one column per week. Screen readers skip days without activity. */
export function ActivityCalendar({ days }: { days: Schemas['DayView'][] }) {
  const counts = new Map(days.map(each => [each.day, each.count]))
  const today = Math.floor(Date.now() / DAY)
  // 1970-01-01 was a Thursday, so day 4 is the first Monday.
  const monday = today - ((today - 4) % 7)
  const weeks = Array.from({ length: WEEKS }, (_, week) => monday - 7 * (WEEKS - 1 - week))
  const all = days.reduce((sum, each) => sum + each.count, 0)
  const recent = useCallback((place: HTMLElement | null) => place?.scrollTo({ left: place.scrollWidth }), [])
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard */}
      <section ref={recent} className={css.scroll} aria-label="Activity by day" tabIndex={0}>
        <table className={css.calendar}>
          <caption>
            {all === 0
              ? 'No activity in the last year.'
              : `${pluralize(all, 'submission or quiz', 'submissions and quizzes')} on ${pluralize(days.length, 'day')} in the last year.`}
          </caption>
          <thead>
            <tr>
              <td />
              {weeks.map((first, week) => (
                <td key={first} className={css.month}>
                  {startsMonth(first, week) && <span>{short.format(first * DAY)}</span>}
                </td>
              ))}
            </tr>
          </thead>
          <tbody>
            {NAMES.map((name, weekday) => (
              <tr key={name}>
                <th scope="row">
                  <span aria-hidden="true">{weekday % 2 === 0 ? name.slice(0, 3) : ''}</span>
                  <span className={css.unseen}>{name}</span>
                </th>
                {weeks.map(first => (
                  <Day key={first} day={first + weekday} today={today} counts={counts} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <Text size="xs" c="dimmed" mt={6} className={css.legend}>
        less
        {[0, ...STEPS].map(count => (
          <span key={count} className={css.day} data-step={step(count)} aria-hidden="true" />
        ))}
        more
      </Text>
    </>
  )
}

function Day({ day, today, counts }: { day: number; today: number; counts: Map<string, number> }) {
  if (day > today) return <td />
  const date = new Date(day * DAY)
  const count = counts.get(date.toISOString().slice(0, 10)) ?? 0
  const label = `${long.format(date)}: ${count === 0 ? 'no activity' : count}`
  return (
    <td title={label}>
      <span className={css.day} data-step={step(count)}>
        {count > 0 && <span className={css.unseen}>{label}</span>}
      </span>
    </td>
  )
}

const step = (count: number) => STEPS.filter(each => count >= each).length

function startsMonth(first: number, week: number): boolean {
  const month = (day: number) => new Date(day * DAY).getUTCMonth()
  return week > 0 && week < WEEKS - 1 && month(first) !== month(first - 7)
}
