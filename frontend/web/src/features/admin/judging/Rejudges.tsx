import { Anchor, Button, Modal, Progress, Select, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { api, type Schemas, unwrap } from '@/api/client'
import { challenges } from '@/api/queries'
import { formatCount, formatOptionalDateTime, pluralize } from '@/shared/format/numbers'
import { ConfirmButton } from '@/shared/forms/ConfirmButton'
import { PagedList } from '@/shared/ui/PagedList'
import { Loaded } from '@/shared/ui/QueryStates'
import { StatusBadge } from '@/shared/ui/StatusBadge'
import { VERDICTS } from '@/shared/verdicts'
import css from '../Admin.module.css'
import { AdminPart, AdminSection } from '../AdminSection'
import { finishedSubmissions, rejudges, useAdminMutation, useAdminPages } from '../requests'
import { SubmissionSource } from './SubmissionList'

type Rejudge = Schemas['RejudgeView']
const STATES: Record<Rejudge['state'], string> = { open: 'In progress', done: 'Done', stopped: 'Stopped' }

export function Rejudges() {
  return (
    <AdminPart
      title="Rejudges"
      description="Judge all submitted answers to a challenge again with their original seeds, ten at a time. New submissions go first."
    >
      <Begin />
      <AdminSection title="History">
        <Loaded query={useQuery(rejudges)}>
          {items =>
            items.length ? (
              items.map(item => <One key={item.id} item={item} />)
            ) : (
              <Text c="dimmed">None yet.</Text>
            )
          }
        </Loaded>
      </AdminSection>
    </AdminPart>
  )
}

function Begin() {
  const [slug, setSlug] = useState<string | null>(null)
  const all = useQuery(challenges)
  const size = useQuery({ ...finishedSubmissions(slug ?? ''), enabled: slug !== null })
  const begin = useAdminMutation(() =>
    unwrap(api.POST('/api/admin/rejudges', { body: { slug: slug ?? '' } })),
  )
  return (
    <div className={css.filters}>
      <Select
        label="Challenge"
        placeholder="Select a challenge"
        searchable
        data={all.data?.map(each => ({ value: each.slug, label: each.title })) ?? []}
        value={slug}
        onChange={setSlug}
        w={340}
        maw="100%"
      />
      {slug && size.data && (
        <ConfirmButton
          label={`Rejudge ${pluralize(size.data.submissions, 'answer')}`}
          title="Rejudge all answers?"
          act={() => begin.mutateAsync(undefined)}
          disabled={size.data.submissions === 0}
        >
          <Text size="sm">
            This rejudges {pluralize(size.data.submissions, 'answer')} to {slug}. Verdicts, points and
            leaderboards may change. Current verdicts:{' '}
            {size.data.verdicts
              .map(each => `${VERDICTS[each.verdict].name} ${formatCount(each.count)}`)
              .join(', ')}
            .
          </Text>
        </ConfirmButton>
      )}
    </div>
  )
}

function One({ item }: { item: Rejudge }) {
  const [open, setOpen] = useState(false)
  const all = item.waiting + item.judging + item.judged
  const changed = item.outcomes.filter(each => each.before !== each.after)
  const stop = useAdminMutation(() =>
    unwrap(api.POST('/api/admin/rejudges/{rejudge_id}/stop', { params: { path: { rejudge_id: item.id } } })),
  )
  return (
    <article className={css.card}>
      <div className={css.head}>
        <Anchor component={Link} to={`/challenges/${item.slug}`} fw={600}>
          {item.slug}
        </Anchor>
        <StatusBadge state={item.state}>{STATES[item.state]}</StatusBadge>
        <Text size="sm" c="dimmed" style={{ flex: 1 }}>
          {formatOptionalDateTime(item.created_at)}
        </Text>
        {item.state === 'open' && (
          <ConfirmButton label="Stop" title="Stop this rejudge?" act={() => stop.mutateAsync(undefined)}>
            <Text size="sm">
              Answers that are already queued are still judged. The other {formatCount(item.waiting)} stay as
              they are.
            </Text>
          </ConfirmButton>
        )}
      </div>
      <Progress
        mt="sm"
        value={all ? (100 * item.judged) / all : 100}
        aria-label={`${item.judged} of ${all} judged`}
      />
      <Text size="sm" mt={6}>
        {formatCount(item.judged)} of {formatCount(all)} judged
        {item.judged > 0 &&
          (changed.length
            ? `: ${changed
                .map(
                  each =>
                    `${formatCount(each.count)} from ${VERDICTS[each.before].name} to ${VERDICTS[each.after].name}`,
                )
                .join(', ')}`
            : ', no verdict changed')}
        . {item.reason}
      </Text>
      <Button mt="sm" size="xs" variant="default" onClick={() => setOpen(true)} disabled={!item.judged}>
        {' '}
        Show changes
      </Button>
      <Modal opened={open} onClose={() => setOpen(false)} title={`Changes in ${item.slug}`} size="lg">
        {open && <Changes id={item.id} />}
      </Modal>
    </article>
  )
}

function Changes({ id }: { id: string }) {
  const query = useAdminPages(['changes', id], cursor =>
    unwrap(
      api.GET('/api/admin/rejudges/{rejudge_id}/changes', {
        params: { path: { rejudge_id: id }, query: { cursor } },
      }),
    ),
  )
  return (
    <PagedList query={query} empty="No verdicts or points changed.">
      {items => (
        <Table>
          <Table.Tbody>
            {items.map(item => (
              <Table.Tr key={item.submission_id}>
                <Table.Td>
                  {VERDICTS[item.before].name}, {item.before_score} → {VERDICTS[item.after].name},{' '}
                  {item.after_score}
                </Table.Td>
                <Table.Td>
                  <Anchor component={Link} to={`/admin/accounts/${item.account_id}`}>
                    View account
                  </Anchor>
                </Table.Td>
                <Table.Td ta="right">
                  <SubmissionSource id={item.submission_id} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </PagedList>
  )
}
