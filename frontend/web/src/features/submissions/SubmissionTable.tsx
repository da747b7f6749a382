import { Anchor, Table, Text, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Schemas } from '@/api/client'
import { challenges } from '@/api/queries'
import { formatPercent } from '@/shared/format/numbers'
import { KIND_NOTES, outcomeName } from '@/shared/verdicts'

type Item = Schemas['SubmissionCard']
const STATUS: Record<Item['status'], string> = {
  queued: 'Queued',
  judging: 'Being judged',
  judged: 'Judged',
  cancelled: 'Cancelled',
}
const when = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

export function SubmissionTable(props: {
  items: Item[]
  named?: boolean
  action?: (item: Item) => ReactNode
}) {
  const all = useQuery({ ...challenges, enabled: props.named === true }).data ?? []
  const titles = new Map(all.map(each => [each.slug, each.title]))
  return (
    <Table.ScrollContainer minWidth={props.action ? 420 : 320}>
      <Table verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            {props.named && <Table.Th>Challenge</Table.Th>}
            <Table.Th>Result</Table.Th>
            <Table.Th>Score</Table.Th>
            <Table.Th>Submitted</Table.Th>
            {props.action && (
              <Table.Th>
                <VisuallyHidden>Actions</VisuallyHidden>
              </Table.Th>
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {props.items.map(item => (
            <Table.Tr key={item.id}>
              {props.named && (
                <Table.Td>
                  <Anchor component={Link} to={`/challenges/${item.slug}`}>
                    {titles.get(item.slug) ?? item.slug}
                  </Anchor>
                </Table.Td>
              )}
              <Table.Td>
                <Outcome item={item} />
              </Table.Td>
              <Table.Td>
                {item.status === 'judged' && item.max_score > 0 && formatPercent(item.score / item.max_score)}
              </Table.Td>
              <Table.Td>{when.format(new Date(item.created_at))}</Table.Td>
              {props.action && <Table.Td>{props.action(item)}</Table.Td>}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

function Outcome({ item }: { item: Item }) {
  if (item.kind === 'scratch' && (item.verdict === null || item.verdict === 'AC'))
    return (
      <Text size="sm" c="dimmed">
        {item.status === 'judged' ? 'Ran' : STATUS[item.status]} (snippet)
      </Text>
    )
  const colour = item.verdict === 'AC' ? 'var(--g-good)' : item.verdict ? 'var(--g-bad)' : 'var(--g-soft)'
  return (
    <Text size="sm" fw={500} c={colour}>
      {item.verdict ? outcomeName(item.kind, item.verdict) : STATUS[item.status]}
      {KIND_NOTES[item.kind]}
    </Text>
  )
}
