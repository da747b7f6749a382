import { Text, Title } from '@mantine/core'
import { Link } from 'react-router'
import { pluralize } from '@/shared/format/numbers'
import { formatDuration, formatTime } from '../clock'
import css from '../Participation.module.css'
import type { ItemCard, Participation, Section } from '../requests'
import { stateOf } from './itemStates'

/** The sections with their items, each with its state. */
export function ItemList({ found }: { found: Participation }) {
  return found.sections.map(section => (
    <section key={section.key}>
      <Title order={2} fz="1.3rem" mt="xl" mb={section.minutes === null ? 'xs' : 4}>
        {section.title}
      </Title>
      {section.minutes !== null && (
        <Text size="sm" c="dimmed" mb="xs">
          {timeOf(section)}
        </Text>
      )}
      <ol className={css.rows}>
        {section.items.map(item => (
          <li key={item.position}>
            <Row item={item} found={found} />
          </li>
        ))}
      </ol>
    </section>
  ))
}

function timeOf({ minutes, opened_at, deadline }: Section): string {
  if (opened_at) return `This section closes at ${formatTime(deadline)}.`
  return `Time limit ${formatDuration(minutes ?? 0)}, starting when you open the section.`
}

const KINDS = { challenge: 'Challenge', quiz: 'Questions', question: 'Question' } as const

function Row({ item, found }: { item: ItemCard; found: Participation }) {
  const state = stateOf(item, found)
  const over = found.finished_at !== null
  const inside = (
    <>
      <span>{item.position}</span>
      <span className={css.title}>{item.title}</span>
      <span className={css.soft}>
        {item.is_follow_up ? 'Follow-up' : KINDS[item.kind]}, {item.points}{' '}
        {item.points === 1 ? 'point' : 'points'}
        {item.submissions_left !== null &&
          !over &&
          `, ${item.submissions_left === 0 ? 'no submissions' : pluralize(item.submissions_left, 'submission')} left`}
        {item.has_follow_up && !item.handed_in_at && ', with a follow-up'}
      </span>
      <span className={css.state} data-state={state.kind}>
        {state.sign === '✓' || state.sign === '✗' ? `${state.sign} ` : ''}
        {state.word}
      </span>
    </>
  )
  if (over && !item.opened_at) return <div className={css.row}>{inside}</div>
  return (
    <Link className={css.row} to={`/participation/${item.position}`}>
      {inside}
    </Link>
  )
}
