import { Anchor, Table, Text, VisuallyHidden } from '@mantine/core'
import { Link } from 'react-router'
import type { Schemas } from '@/api/client'
import { FollowButton, useFollowing } from '@/features/follows'
import { formatCount } from '@/shared/format/numbers'
import css from './RankingTable.module.css'

const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'long', timeStyle: 'medium' })

interface Props {
  items: Schemas['PlaceView'][]
  me?: string
  /** Whether it is the board of one challenge, which also shows the date and the time taken. */
  timed: boolean
  /** Whether it also shows the rank among all people. */
  followed?: boolean
  /** Whether rows have no buttons to follow people. */
  plain?: boolean
}

export function RankingTable({ items, me, timed, followed = false, plain = false }: Props) {
  const follows = useFollowing() !== undefined && !plain
  return (
    <Table className={css.places} verticalSpacing={9} layout="fixed">
      <Table.Thead>
        <Table.Tr>
          <Table.Th className={css.first}>Rank</Table.Th>
          <Table.Th>Name</Table.Th>
          {followed && (
            <Table.Th ta="right" className={css.figure}>
              Overall
            </Table.Th>
          )}
          <Table.Th ta="right" className={css.figure}>
            {timed ? 'Time to solve' : 'Points'}
          </Table.Th>
          {!timed && (
            <Table.Th ta="right" className={`${css.figure} ${css.wide}`}>
              Solved
            </Table.Th>
          )}
          <Table.Th ta="right" className={timed ? css.date : `${css.date} ${css.wide}`}>
            {timed ? 'Solved on' : 'Reached on'}
          </Table.Th>
          {follows && (
            <Table.Th className={css.action}>
              <VisuallyHidden>Follow</VisuallyHidden>
            </Table.Th>
          )}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {items.map(each => (
          <Table.Tr key={each.id} data-me={each.id === me} aria-current={each.id === me || undefined}>
            <Table.Td>
              <span className={css.rank} data-rank={each.rank}>
                {each.rank}
              </span>
            </Table.Td>
            <Table.Td className={css.name}>
              <Anchor component={Link} to={`/people/${each.id}`} dir="auto">
                {each.name}
              </Anchor>
              {each.id === me && (
                <Text span size="sm" c="dimmed">
                  {' '}
                  you
                </Text>
              )}
            </Table.Td>
            {followed && (
              <Table.Td ta="right" className={css.number}>
                {each.overall_rank && formatCount(each.overall_rank)}
              </Table.Td>
            )}
            <Table.Td ta="right" className={css.number}>
              {timed ? lasted(each.took_s ?? 0) : <b>{each.points}</b>}
            </Table.Td>
            {!timed && (
              <Table.Td ta="right" className={css.wide}>
                {each.solved}
              </Table.Td>
            )}
            <Table.Td
              ta="right"
              className={timed ? css.when : `${css.wide} ${css.when}`}
              title={moment.format(new Date(each.reached_at))}
            >
              {day.format(new Date(each.reached_at))}
            </Table.Td>
            {follows && (
              <Table.Td ta="right" py={0} className={css.action}>
                {each.id !== me && <FollowButton id={each.id} name={each.name} small />}
              </Table.Td>
            )}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

const UNITS: [number, string][] = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
]

/** The time from the first submission to the accepted one. */
function lasted(seconds: number): string {
  if (seconds === 0) return 'first try'
  const found = UNITS.find(([length]) => seconds >= length)
  return found ? `${Math.floor(seconds / found[0])} ${found[1]}` : `${Math.ceil(seconds)} s`
}
