import { Title, VisuallyHidden } from '@mantine/core'
import css from './Cards.module.css'

/** How many reviews are due on each of the next days. New cards are not counted. */
export function Forecast({ counts }: { counts: number[] }) {
  const most = Math.max(1, ...counts)
  const today = new Date()
  const days = counts.map((count, place) => {
    const date = new Date(today.getFullYear(), today.getMonth(), today.getDate() + place)
    return { count, date, key: date.toDateString() }
  })
  return (
    <section>
      <Title order={2} fz="1.1rem" mb="sm">
        Reviews in the next two weeks
      </Title>
      <ol className={css.forecast}>
        {days.map(({ count, date, key }) => (
          <li key={key} className={css.day}>
            <VisuallyHidden>
              {date.toLocaleDateString(undefined, { weekday: 'long', day: 'numeric', month: 'long' })}:{' '}
              {count} {count === 1 ? 'review' : 'reviews'}
            </VisuallyHidden>
            <span className={css.column} aria-hidden="true">
              {count > 0 && count}
              <span
                className={css.bar}
                data-some={count > 0 || undefined}
                style={{ height: `${(4.2 * count) / most}rem` }}
              />
            </span>
            <span aria-hidden="true">{date.toLocaleDateString(undefined, { weekday: 'narrow' })}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}
