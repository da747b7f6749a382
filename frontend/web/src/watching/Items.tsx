import { Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { VERDICTS } from '../challenge/verdicts'
import { Loaded } from '../parts/States'
import { Answers } from './Answers'
import { Playback } from './Playback'
import { ByHand, Points } from './Points'
import { QuizAnswers } from './QuizAnswers'
import { type Item, type Participation, type Person, sent } from './queries'
import css from './Report.module.css'
import { lasting, points } from './words'

/** What every item came to, in one table; each line leads to its item below. */
export function Overview({ found }: { found: Participation }) {
  return (
    <table className={css.overview}>
      <thead>
        <tr>
          <th scope="col">Item</th>
          <th scope="col">Outcome</th>
          <th scope="col">Time</th>
          <th scope="col">Points</th>
        </tr>
      </thead>
      {found.sections.map(section => {
        const items = found.items.filter(item => item.section_key === section.key)
        if (items.length === 0) return null
        return (
          <tbody key={section.key}>
            {found.sections.length > 1 && (
              <tr className={css.section}>
                <th scope="rowgroup" colSpan={2}>
                  {section.title}
                </th>
                <td>{lasting(sum(items, item => item.spent_s))}</td>
                <td>
                  {points(sum(items, item => item.adjusted))} of {sum(items, item => item.points)}
                </td>
              </tr>
            )}
            {items.map(item => (
              <tr key={item.position}>
                <td>
                  <a href={`#item-${item.position}`}>{item.title}</a>
                </td>
                <td>{outcome(item)}</td>
                <td>{item.opened_at ? lasting(item.spent_s) : '–'}</td>
                <td>
                  {points(item.adjusted)} of {item.points}
                  <ByHand item={item} />
                </td>
              </tr>
            ))}
          </tbody>
        )
      })}
    </table>
  )
}

const sum = (items: Item[], of: (item: Item) => number) => items.reduce((total, item) => total + of(item), 0)

function outcome(item: Item): string {
  if (!item.opened_at) return 'Not opened'
  if (item.kind === 'quiz') return item.sent === 0 ? 'Nothing answered' : `${item.sent} answered`
  if (item.verdict) return VERDICTS[item.verdict].name
  return item.unfinished ? 'Being judged' : 'Nothing submitted'
}

/** Every item with what was sent, how it was written, and points by hand. */
export function Items({ of, found }: { of: Person; found: Participation }) {
  const query = useQuery(sent(of))
  return found.items.map(item => (
    <section key={item.position} id={`item-${item.position}`} className={css.item}>
      <header className={css.head}>
        <Title order={3} fz="1.25rem">
          {item.position}. {item.title}
        </Title>
        <span className={css.points}>
          {points(item.adjusted)} of {item.points}
          <ByHand item={item} />
        </span>
      </header>
      <Text size="sm" c="dimmed">
        {item.opened_at ? `${outcome(item)}, ${lasting(item.spent_s)} in hand` : 'It was never opened.'}
      </Text>
      {item.opened_at && item.kind === 'quiz' && <QuizAnswers of={of} item={item} />}
      {item.opened_at && item.kind === 'challenge' && (
        <>
          <Loaded query={query}>{all => <Answers of={of} item={item} all={all} />}</Loaded>
          <Playback of={of} item={item} />
        </>
      )}
      <Points of={of} item={item} />
    </section>
  ))
}
