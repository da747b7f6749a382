/** Submissions of all users, without their source. Opening a source is a separate action that is logged. */
import { Anchor, Button, Group, Modal, Table, Text, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { api, type Schemas, unwrap } from '@/api/client'
import { source } from '@/api/queries'
import { formatOptionalDateTime, formatOrdinal } from '@/shared/format/numbers'
import { ConfirmButton } from '@/shared/forms/ConfirmButton'
import { Code } from '@/shared/markdown/Markdown'
import { PagedList } from '@/shared/ui/PagedList'
import { Loaded } from '@/shared/ui/QueryStates'
import { KIND_NOTES, outcomeName } from '@/shared/verdicts'
import { useAdminMutation, useAdminPages } from '../requests'

interface Filter {
  account?: string
  slug?: string
  verdict?: Schemas['SentSubmission']['verdict']
}

export function SubmissionList({ filter, empty }: { filter: Filter; empty: string }) {
  const { verdict, ...rest } = filter
  const query = useAdminPages(['submissions', JSON.stringify(filter)], cursor =>
    unwrap(
      api.GET('/api/admin/submissions', {
        params: { query: { ...rest, ...(verdict ? { verdict } : {}), cursor, limit: 20 } },
      }),
    ),
  )
  return (
    <PagedList query={query} empty={empty}>
      {items => (
        <Table.ScrollContainer minWidth={640}>
          <Table verticalSpacing="xs">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Challenge</Table.Th>
                <Table.Th>Result</Table.Th>
                <Table.Th>Node</Table.Th>
                <Table.Th>Submitted</Table.Th>
                <Table.Th>
                  <VisuallyHidden>Actions</VisuallyHidden>
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
    </PagedList>
  )
}

function Row({ item, named }: { item: Schemas['SentSubmission']; named: boolean }) {
  const rejudge = useAdminMutation(() =>
    unwrap(
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
              View account
            </Anchor>
          </Text>
        )}
      </Table.Td>
      <Table.Td maw={320}>
        <Text size="sm" fw={500} c={item.verdict === 'AC' ? 'var(--g-good)' : undefined}>
          {item.verdict ? outcomeName(item.kind, item.verdict) : item.status}
          {KIND_NOTES[item.kind]}
          {item.judging > 1 && `, ${formatOrdinal(item.judging)} judging`}
        </Text>
        {item.verdict === 'JE' && (
          <Text size="xs" c="dimmed">
            {item.message}
          </Text>
        )}
      </Table.Td>
      <Table.Td>{item.node ?? '–'}</Table.Td>
      <Table.Td>{formatOptionalDateTime(item.created_at)}</Table.Td>
      <Table.Td>
        <Group gap="xs" justify="flex-end" wrap="nowrap">
          <SubmissionSource id={item.id} />
          <ConfirmButton
            label="Rejudge"
            title="Rejudge this submission?"
            act={() => rejudge.mutateAsync(undefined)}
            disabled={!over}
          >
            <Text size="sm">
              Uses the same seed. New submissions go first. The new result counts, and the earlier one stays
              in the history.
            </Text>
          </ConfirmButton>
        </Group>
      </Table.Td>
    </Table.Tr>
  )
}

export function SubmissionSource({ id }: { id: string }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setOpen(true)}>
        View code
      </Button>
      <Modal opened={open} onClose={() => setOpen(false)} title="Submitted code" size="xl">
        <Text size="sm" c="dimmed" mb="sm">
          The audit log records that you viewed this code.
        </Text>
        {open && <Reading id={id} />}
      </Modal>
    </>
  )
}

function Reading({ id }: { id: string }) {
  return <Loaded query={useQuery(source(id))}>{found => <Code source={found.source} />}</Loaded>
}
