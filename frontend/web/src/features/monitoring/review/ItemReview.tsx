import { Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { formatPoints, pluralize } from '@/shared/format/numbers'
import { Loaded } from '@/shared/ui/QueryStates'
import { VERDICTS } from '@/shared/verdicts'
import { formatRoughDuration } from '../labels'
import { Playback } from '../playback/Playback'
import { type Item, type Participation, type Person, sent } from '../requests'
import css from './CandidateReport.module.css'
import { ChallengeAnswers } from './ChallengeAnswers'
import { ComparedWithTeams } from './ComparedWithTeams'
import { ManualPoints, ManualPointsNote } from './ManualPoints'
import { QuizAnswers } from './QuizAnswers'
import { WrittenAnswer } from './WrittenAnswer'

/** The results of all items in one table; each row links to its item below. */
export function ItemOverview({ found }: { found: Participation }) {
  return (
    <table className={css.overview}>
      <thead>
        <tr>
          <th scope="col">Item</th>
          <th scope="col">Result</th>
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
                <td>{formatRoughDuration(sum(items, item => item.spent_s))}</td>
                <td>
                  {formatPoints(sum(items, item => item.adjusted))} of {sum(items, item => item.points)}
                </td>
              </tr>
            )}
            {items.map(item => (
              <tr key={item.position}>
                <td>
                  {item.is_follow_up && <span className={css.soft}>Follow-up: </span>}
                  <a href={`#item-${item.position}`}>{item.title}</a>
                  {item.variant && <span className={css.variant}>{item.variant}</span>}
                  {item.unproven && <span className={css.variant}>unproven</span>}
                </td>
                <td>{outcome(item)}</td>
                <td>{item.opened_at ? formatRoughDuration(item.spent_s) : '–'}</td>
                <td>
                  {pointsOf(item)}
                  <ManualPointsNote item={item} />
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

const pointsOf = (item: Item) =>
  item.to_review > 0 ? `– of ${item.points}` : `${formatPoints(item.adjusted)} of ${item.points}`

function outcome(item: Item): string {
  if (!item.opened_at) return 'Not opened'
  if (item.to_review > 0) return 'Awaits review'
  if (item.kind === 'quiz') return item.sent === 0 ? 'Not answered' : `${item.sent} answered`
  if (item.kind === 'question') return item.sent === 0 ? 'Not answered' : 'Answered'
  if (item.verdict) return VERDICTS[item.verdict].name
  return item.unfinished ? 'Being judged' : 'Not submitted'
}

/** Each item with its submissions, its recording, and manual points. */
export function ItemReviews({ of, found }: { of: Person; found: Participation }) {
  const query = useQuery(sent(of))
  return found.items.map(item => (
    <section key={item.position} id={`item-${item.position}`} className={css.item}>
      <header className={css.head}>
        <Title order={3} fz="1.25rem">
          {item.position}. {item.title}
        </Title>
        <span className={css.points}>
          {pointsOf(item)}
          <ManualPointsNote item={item} />
        </span>
      </header>
      {item.variant && (
        <Text size="sm" c="dimmed">
          Variant: {item.variant}.
        </Text>
      )}
      {item.unproven && (
        <Text size="sm" c="dimmed">
          The tests of this challenge are unproven: the gate has not passed it, so they may accept wrong
          answers or reject right ones.
        </Text>
      )}
      <Text size="sm" c="dimmed">
        {item.opened_at
          ? `${outcome(item)}, ${formatRoughDuration(item.spent_s)} spent on it.`
          : 'Not opened.'}
        {item.is_follow_up && ` Follow-up to item ${item.position - 1}`}
        {item.is_follow_up &&
          (item.lines_changed === null
            ? '.'
            : `, with ${pluralize(item.lines_changed, 'line')} changed in its answer.`)}
      </Text>
      <ComparedWithTeams of={of} item={item} />
      {item.opened_at && item.kind !== 'challenge' && !item.is_text && <QuizAnswers of={of} item={item} />}
      {item.opened_at && item.is_text && (
        <>
          <WrittenAnswer of={of} item={item} />
          <Playback of={of} item={item} name={found.name} />
        </>
      )}
      {item.opened_at && item.kind === 'challenge' && (
        <>
          <Loaded query={query}>{all => <ChallengeAnswers of={of} item={item} all={all} />}</Loaded>
          <Playback of={of} item={item} name={found.name} />
        </>
      )}
      <ManualPoints of={of} item={item} />
    </section>
  ))
}
