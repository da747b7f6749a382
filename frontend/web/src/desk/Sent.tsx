/** Submissions of everybody: without their source, which is opened on purpose and on record. */
import { Anchor, Button, Group, Modal, Table, Text, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { api, type Schemas, told } from '../api/client'
import { source } from '../api/queries'
import { VERDICTS } from '../challenge/verdicts'
import { Code } from '../parts/Markdown'
import { Pages } from '../parts/Pages'
import { Loaded } from '../parts/States'
import { useDeed, usePages } from './data'
import { when } from './format'
import { Sure } from './Parts'

interface Filter {
  account?: string
  slug?: string
  verdict?: Schemas['SentSubmission']['verdict']
}

export function Sent({ filter, empty }: { filter: Filter; empty: string }) {
  const { verdict, ...rest } = filter
  const query = usePages(['submissions', JSON.stringify(filter)], cursor =>
    told(
      api.GET('/api/admin/submissions', {
        params: { query: { ...rest, ...(verdict ? { verdict } : {}), cursor, limit: 20 } },
      }),
    ),
  )
  return (
    <Pages query={query} empty={empty}>
      {items => (
        <Table.ScrollContainer minWidth={640}>
          <Table verticalSpacing="xs">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Challenge</Table.Th>
                <Table.Th>Outcome</Table.Th>
                <Table.Th>Node</Table.Th>
                <Table.Th>Sent</Table.Th>
                <Table.Th>
                  <VisuallyHidden>What can be done</VisuallyHidden>
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {items.map(item => (
                <Row key={item.id} item={item} named={!filter.account} />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </Pages>
  )
}

function Row({ item, named }: { item: Schemas['SentSubmission']; named: boolean }) {
  const rejudge = useDeed(() =>
    told(
      api.POST('/api/submissions/{submission_id}/rejudge', { params: { path: { submission_id: item.id } } }),
    ),
  )
  const over = item.status === 'judged' || item.status === 'cancelled'
  return (
    <Table.Tr>
      <Table.Td>
        <Anchor component={Link} to={`/challenges/${item.slug}`} size="sm">
          {item.slug}
        </Anchor>
        {named && (
          <Text size="xs">
            <Anchor component={Link} to={`/admin/accounts/${item.account_id}`} c="dimmed">
              its author
            </Anchor>
          </Text>
        )}
      </Table.Td>
      <Table.Td maw={320}>
        <Text size="sm" fw={500} c={item.verdict === 'AC' ? 'var(--g-good)' : undefined}>
          {item.verdict ? VERDICTS[item.verdict].name : item.status}
          {item.kind !== 'submit' && ` (${item.kind === 'run' ? 'samples' : 'scratch'})`}
          {item.judging > 1 && `, judging ${item.judging}`}
        </Text>
        {item.verdict === 'JE' && (
          <Text size="xs" c="dimmed">
            {item.message}
          </Text>
        )}
      </Table.Td>
      <Table.Td>{item.node ?? '–'}</Table.Td>
      <Table.Td>{when(item.created_at)}</Table.Td>
      <Table.Td>
        <Group gap="xs" justify="flex-end" wrap="nowrap">
          <Source id={item.id} />
          <Sure
            label="Judge again"
            title="Judge this again?"
            act={() => rejudge.mutateAsync(undefined)}
            disabled={!over}
          >
            <Text size="sm">
              With the same seed, behind what people send now. The earlier judging is kept.
            </Text>
          </Sure>
        </Group>
      </Table.Td>
    </Table.Tr>
  )
}

export function Source({ id, label = 'Read it' }: { id: string; label?: string }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setOpen(true)}>
        {label}
      </Button>
      <Modal opened={open} onClose={() => setOpen(false)} title="What was sent" size="xl">
        <Text size="sm" c="dimmed" mb="sm">
          That you have read it is on record.
        </Text>
        {open && <Reading id={id} />}
      </Modal>
    </>
  )
}

function Reading({ id }: { id: string }) {
  return <Loaded query={useQuery(source(id))}>{found => <Code source={found.source} />}</Loaded>
}
