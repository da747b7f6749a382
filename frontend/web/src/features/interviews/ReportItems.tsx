import { Anchor, Table } from '@mantine/core'
import { Link } from 'react-router'
import type { Schemas } from '@/api/client'

export type ReportItem = Pick<
  Schemas['ItemView'],
  'kind' | 'title' | 'minutes' | 'state' | 'share' | 'seconds' | 'tries' | 'slug' | 'topic'
>

/** The items of an interview, each with its result, the time spent, and the points. */
export function ReportItems({ items }: { items: ReportItem[] }) {
  return (
    <Table.ScrollContainer minWidth={520}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Item</Table.Th>
            <Table.Th>Result</Table.Th>
            <Table.Th ta="right">Time</Table.Th>
            <Table.Th ta="right">Points</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {items.map((item, index) => (
            <Table.Tr key={`${item.kind} ${item.topic} ${item.title}`}>
              <Table.Td>
                {index + 1}.{' '}
                <Anchor
                  component={Link}
                  to={item.slug ? `/challenges/${item.slug}` : `/topics/${item.topic}`}
                >
                  {item.title}
                </Anchor>
              </Table.Td>
              <Table.Td>{outcome(item)}</Table.Td>
              <Table.Td ta="right">{item.tries > 0 ? clock(item.seconds) : '–'}</Table.Td>
              <Table.Td ta="right">
                {Math.round(10 * item.share * item.minutes) / 10} of {item.minutes}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

function outcome(item: ReportItem) {
  if (item.state === 'right') return <span style={{ color: 'var(--g-good)' }}>✓ correct</span>
  if (item.state === 'judging') return 'being judged'
  if (item.state === 'open') return item.tries ? 'tried, not submitted' : 'not answered'
  return (
    <span style={{ color: 'var(--g-bad)' }}>
      ✗ {item.kind === 'challenge' ? `${Math.round(100 * item.share)}% of the tests passed` : 'incorrect'}
    </span>
  )
}

const clock = (seconds: number) =>
  `${Math.floor(seconds / 60)}:${String(Math.round(seconds) % 60).padStart(2, '0')}`
