import { Anchor, Button, Modal, Progress, Select, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { api, type Schemas, told } from '../api/client'
import { challenges } from '../api/queries'
import { VERDICTS } from '../challenge/verdicts'
import { Pages } from '../parts/Pages'
import { Loaded } from '../parts/States'
import css from './Desk.module.css'
import { finished, rejudges, useDeed, usePages } from './data'
import { count, many, when } from './format'
import { Chip, Part, Section, Sure } from './Parts'
import { Source } from './Sent'

type Rejudge = Schemas['RejudgeView']

export function Rejudges() {
  return (
    <Part
      title="Rejudges"
      told="All finished answers to a challenge, judged again with their own seeds: ten at a time, behind what people send meanwhile."
    >
      <Begin />
      <Section title="Begun so far">
        <Loaded query={useQuery(rejudges)}>
          {items =>
            items.length ? (
              items.map(item => <One key={item.id} item={item} />)
            ) : (
              <Text c="dimmed">None yet.</Text>
            )
          }
        </Loaded>
      </Section>
    </Part>
  )
}

function Begin() {
  const [slug, setSlug] = useState<string | null>(null)
  const all = useQuery(challenges)
  const size = useQuery({ ...finished(slug ?? ''), enabled: slug !== null })
  const begin = useDeed(() => told(api.POST('/api/admin/rejudges', { body: { slug: slug ?? '' } })))
  return (
    <div className={css.filters}>
      <Select
        label="Challenge"
        placeholder="Choose one"
        searchable
        data={all.data?.map(each => ({ value: each.slug, label: each.title })) ?? []}
        value={slug}
        onChange={setSlug}
        w={340}
        maw="100%"
      />
      {slug && size.data && (
        <Sure
          label={`Judge ${many(size.data.submissions, 'answer')} again`}
          title="Judge them all again?"
          act={() => begin.mutateAsync(undefined)}
          disabled={size.data.submissions === 0}
        >
          <Text size="sm">
            {many(size.data.submissions, 'finished answer')} to {slug}. Verdicts and points may change, and
            with them leaderboards. Now:{' '}
            {size.data.verdicts.map(each => `${VERDICTS[each.verdict].name} ${count(each.count)}`).join(', ')}
            .
          </Text>
        </Sure>
      )}
    </div>
  )
}

function One({ item }: { item: Rejudge }) {
  const [open, setOpen] = useState(false)
  const all = item.waiting + item.judging + item.judged
  const changed = item.outcomes.filter(each => each.before !== each.after)
  const stop = useDeed(() =>
    told(api.POST('/api/admin/rejudges/{rejudge_id}/stop', { params: { path: { rejudge_id: item.id } } })),
  )
  return (
    <article className={css.card}>
      <div className={css.head}>
        <Anchor component={Link} to={`/challenges/${item.slug}`} fw={600}>
          {item.slug}
        </Anchor>
        <Chip state={item.state}>{item.state === 'open' ? 'under way' : item.state}</Chip>
        <Text size="sm" c="dimmed" style={{ flex: 1 }}>
          {when(item.created_at)}
        </Text>
        {item.state === 'open' && (
          <Sure label="Stop" title="Stop this rejudge?" act={() => stop.mutateAsync(undefined)}>
            <Text size="sm">
              What is in the queue is still judged; the other {count(item.waiting)} stay as they are.
            </Text>
          </Sure>
        )}
      </div>
      <Progress
        mt="sm"
        value={all ? (100 * item.judged) / all : 100}
        aria-label={`${item.judged} of ${all} judged`}
      />
      <Text size="sm" mt={6}>
        {count(item.judged)} of {count(all)} judged
        {item.judged > 0 &&
          (changed.length
            ? `: ${changed
                .map(
                  each =>
                    `${count(each.count)} from ${VERDICTS[each.before].name} to ${VERDICTS[each.after].name}`,
                )
                .join(', ')}`
            : ', no verdict has changed')}
        . {item.reason}
      </Text>
      <Button mt="sm" size="xs" variant="default" onClick={() => setOpen(true)} disabled={!item.judged}>
        What changed
      </Button>
      <Modal opened={open} onClose={() => setOpen(false)} title={`What changed in ${item.slug}`} size="lg">
        {open && <Changes id={item.id} />}
      </Modal>
    </article>
  )
}

function Changes({ id }: { id: string }) {
  const query = usePages(['changes', id], cursor =>
    told(
      api.GET('/api/admin/rejudges/{rejudge_id}/changes', {
        params: { path: { rejudge_id: id }, query: { cursor } },
      }),
    ),
  )
  return (
    <Pages query={query} empty="No verdict and no points have changed.">
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
                    its author
                  </Anchor>
                </Table.Td>
                <Table.Td ta="right">
                  <Source id={item.submission_id} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Pages>
  )
}
