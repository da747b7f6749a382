import { Anchor, Table } from '@mantine/core'
import { Link } from 'react-router'
import type { Schemas } from '@/api/client'

const when = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** Past interviews with their results, newest first. */
export function PastInterviews({ items }: { items: Schemas['InterviewCard'][] }) {
  return (
    <Table>
      <Table.Tbody>
        {items.map(each => (
          <Table.Tr key={each.id}>
            <Table.Td>
              <Anchor component={Link} to={`/interview/${each.id}`}>
                {when.format(new Date(each.started_at))}
              </Anchor>
            </Table.Td>
            <Table.Td>
              {each.level}, {each.minutes} min
            </Table.Td>
            <Table.Td ta="right">{each.percent} %</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
