import { Anchor, Button, Checkbox, Group, Table } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { Fragment } from 'react'
import { Link } from 'react-router'
import { formatDuration, formatPercent, formatPoints } from '@/shared/format/numbers'
import { resultOfItem } from './itemResults'
import css from './Results.module.css'
import type { Item, Person, Results } from './requests'

export const AT_MOST = 4
const DECISIONS = ['none', 'reject', 'hold', 'advance']
const DECISION_NAMES = { none: '–', reject: 'Reject', hold: 'Hold', advance: 'Advance' } as const

interface Column {
  key: string
  name: string
  of: (person: Person) => number | string
  shown: (person: Person) => string
  /** A note that is shown while the pointer is over a value. */
  note?: (person: Person) => string | undefined
}

const figure = (
  key: string,
  name: string,
  of: (person: Person) => number | null,
  shown: (value: number) => string = String,
): Column => ({
  key,
  name,
  of: person => of(person) ?? -1,
  shown: person => {
    const value = of(person)
    return value === null ? '–' : shown(value)
  },
})

const ofItem = (item: Item): Column => {
  const scored = figure(
    item.name,
    item.title,
    person => resultOfItem(person, item)?.score ?? null,
    value => `${formatPoints(value)} / ${item.points}`,
  )
  return {
    ...scored,
    shown: person => (resultOfItem(person, item)?.to_review ? 'to review' : scored.shown(person)),
    note: person => {
      const share = resultOfItem(person, item)?.better_than
      if (share == null || !item.compared) return undefined
      const { people, teams, median_s } = item.compared
      const time = formatDuration(median_s)
      return `Better than ${formatPercent(share)} of ${people} candidates of ${teams} teams; their median time is ${time}`
    },
  }
}

/** The columns from left to right. The name stays in view while the others scroll; the items come last. */
const columns = (items: Item[]): Column[] => [
  { key: 'name', name: 'Name', of: person => person.name.toLowerCase(), shown: person => person.name },
  figure('score', 'Score', person => person.share, formatPercent),
  {
    key: 'points',
    name: 'Points',
    of: person => person.score,
    shown: person =>
      `${formatPoints(person.score)} / ${person.points}${person.to_review > 0 ? `, ${person.to_review} to review` : ''}`,
  },
  figure('time', 'Time', person => person.seconds, formatDuration),
  figure('similarity', 'Similarity', person => person.similarity, formatPercent),
  figure('pastes', 'Pastes', person => person.noticed.pastes),
  figure('left', 'Left the page', person => person.noticed.left),
  {
    key: 'decision',
    name: 'Decision',
    of: person => DECISIONS.indexOf(person.decision),
    shown: person =>
      DECISION_NAMES[person.decision] +
      (person.decision !== 'none' && person.answers_pending > 0 ? ', points pending' : ''),
  },
  ...items.map(ofItem),
]

interface Props {
  results: Results
  /** The URL prefix of the candidates' own pages. */
  at: string
  sort: string
  onSort: (sort: string) => void
  chosen: string[]
  onChoose: (chosen: string[]) => void
}

/** All candidates who finished. Clicking a column's name sorts by it; clicking again reverses the order. */
export function ResultsTable({ results, at, sort, onSort, chosen, onChoose }: Props) {
  const shown = columns(results.items)
  const down = sort.startsWith('-')
  const by = shown.find(each => each.key === sort.replace('-', '')) ?? (shown[1] as Column)
  const people = results.people.toSorted((a, b) => {
    const [one, other] = [by.of(a), by.of(b)]
    return (one < other ? -1 : one > other ? 1 : 0) * (down ? -1 : 1)
  })
  const choose = (id: string, on: boolean) =>
    onChoose(on ? [...chosen, id] : chosen.filter(each => each !== id))
  return (
    <>
      <Table.ScrollContainer minWidth={720}>
        <Table className={css.table} verticalSpacing="xs" highlightOnHover>
          <Table.Thead>
            <Table.Tr>
              {shown.map(column => (
                <Fragment key={column.key}>
                  <Head column={column} by={by} down={down} onSort={onSort} />
                  {column.key === 'name' && (
                    <Table.Th>
                      <span className={css.soft}>Compare</span>
                    </Table.Th>
                  )}
                </Fragment>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {people.map(person => (
              <Table.Tr key={person.participation_id}>
                <Table.Th scope="row" className={css.stay}>
                  <Anchor component={Link} to={`${at}/people/${person.participation_id}`}>
                    {person.name}
                  </Anchor>
                </Table.Th>
                <Table.Td>
                  <Checkbox
                    aria-label={`Compare ${person.name}`}
                    checked={chosen.includes(person.participation_id)}
                    disabled={chosen.length >= AT_MOST && !chosen.includes(person.participation_id)}
                    onChange={event => choose(person.participation_id, event.currentTarget.checked)}
                  />
                </Table.Td>
                {shown.slice(1).map(column => (
                  <Table.Td key={column.key} className={css.right} title={column.note?.(person)}>
                    {column.shown(person)}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {chosen.length > 0 && (
        <div className={css.chosen} role="status">
          <span>
            {chosen.length === 1
              ? '1 candidate selected. Select another one to compare.'
              : `${chosen.length} candidates selected.`}
          </span>
          <Group gap="xs">
            <Button size="xs" variant="default" onClick={() => onChoose([])}>
              Clear selection
            </Button>
            {chosen.length > 1 && (
              <Button size="xs" component="a" href="#compare">
                Compare
              </Button>
            )}
          </Group>
        </div>
      )}
    </>
  )
}

interface HeadProps {
  column: Column
  by: Column
  down: boolean
  onSort: (sort: string) => void
}

function Head({ column, by, down, onSort }: HeadProps) {
  const active = column.key === by.key
  const first = column.key === 'name' ? column.key : `-${column.key}`
  const turned = down ? column.key : `-${column.key}`
  const Arrow = down ? IconArrowDown : IconArrowUp
  return (
    <Table.Th
      className={column.key === 'name' ? css.stay : css.right}
      aria-sort={active ? (down ? 'descending' : 'ascending') : undefined}
    >
      <button
        type="button"
        className={css.sort}
        title={`Sort by ${column.name}`}
        onClick={() => onSort(active ? turned : first)}
      >
        <span className={css.item}>{column.name}</span> {active && <Arrow size={13} aria-hidden="true" />}
      </button>
    </Table.Th>
  )
}
