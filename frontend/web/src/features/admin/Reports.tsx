import { Anchor, Button, Group, Select, Text, Textarea } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { api, type Schemas, unwrap } from '@/api/client'
import { KINDS, Place, reportsStyles as reports, STATES } from '@/features/feedback'
import { formatOptionalDateTime } from '@/shared/format/numbers'
import { PagedList } from '@/shared/ui/PagedList'
import { ErrorMessage } from '@/shared/ui/QueryStates'
import { StatusBadge } from '@/shared/ui/StatusBadge'
import css from './Admin.module.css'
import { AdminPart } from './AdminSection'
import { SubmissionSource } from './judging/SubmissionList'
import { useAdminMutation, useAdminPages } from './requests'

type Item = Schemas['SentReport']
type State = Item['state']
const CHOICES = Object.entries(STATES).map(([value, label]) => ({ value, label }))

const DESCRIPTIONS = {
  error:
    'Errors, comments and shared answers that people reported. Answer each report; the reporter sees your answer under “My reports”.',
  suggestion: 'Questions that people would like to see in the catalogue. If you decline one, give a reason.',
}

export function Reports({ kind }: { kind: 'error' | 'suggestion' }) {
  const [params, setParams] = useSearchParams()
  const wanted = params.get('state') ?? 'open'
  const state = wanted in STATES ? (wanted as State) : null
  const query = useAdminPages(['reports', kind, wanted], cursor =>
    unwrap(
      api.GET('/api/admin/reports', {
        params: { query: { kind, cursor, limit: 20, ...(state ? { state } : {}) } },
      }),
    ),
  )
  return (
    <AdminPart title={kind === 'error' ? 'Reports' : 'Suggestions'} description={DESCRIPTIONS[kind]}>
      <div className={css.filters}>
        <Select
          label="Status"
          data={[{ value: 'all', label: 'All' }, ...CHOICES]}
          value={state ?? 'all'}
          onChange={value => setParams(value && value !== 'open' ? { state: value } : {}, { replace: true })}
          allowDeselect={false}
          w={180}
        />
      </div>
      <PagedList query={query} empty="Nothing to show.">
        {items => items.map(item => <One key={item.id} item={item} />)}
      </PagedList>
    </AdminPart>
  )
}

function One({ item }: { item: Item }) {
  const [open, setOpen] = useState(false)
  return (
    <article className={reports.card}>
      <div className={reports.head}>
        <Text fw={600}>{item.kind === 'suggestion' ? item.title : KINDS[item.kind]}</Text>
        <StatusBadge state={item.state}>{STATES[item.state]}</StatusBadge>
        <Text size="sm" c="dimmed">
          <Place item={item} />
          <Anchor component={Link} to={`/admin/accounts/${item.account_id}`} c="inherit">
            {item.account_name}
          </Anchor>
          {' · '}
          {formatOptionalDateTime(item.created_at)}
        </Text>
      </div>
      {item.tests && <p className={reports.words}>{item.tests}</p>}
      {item.why && <p className={reports.words}>Where it was asked: {item.why}</p>}
      {item.words && <p className={reports.words}>{item.words}</p>}
      {(item.about === 'comment' || item.about === 'answer') && <Reported item={item} />}
      {item.reply && <p className={reports.reply}>{item.reply}</p>}
      <Group gap="xs" mt="sm">
        {!open && (
          <Button size="xs" variant="default" onClick={() => setOpen(true)}>
            {item.state === 'open' ? 'Answer' : 'Edit answer'}
          </Button>
        )}
        {item.submission_id && <SubmissionSource id={item.submission_id} />}
      </Group>
      {open && <AnswerForm item={item} done={() => setOpen(false)} />}
    </article>
  )
}

/** The comment or shared answer that was reported, as it is now. */
function Reported({ item: { about, content } }: { item: Item }) {
  const hide = useAdminMutation(async (hidden: boolean) => {
    const id = content?.id ?? ''
    if (about === 'comment')
      await unwrap(
        api.PUT('/api/admin/comments/{comment_id}/hidden', {
          params: { path: { comment_id: id } },
          body: { hidden },
        }),
      )
    else
      await unwrap(
        api.PUT('/api/admin/shared/{shared_id}/hidden', {
          params: { path: { shared_id: id } },
          body: { hidden },
        }),
      )
  })
  const noun = about === 'comment' ? 'comment' : 'answer'
  if (!content)
    return (
      <Text size="sm" c="dimmed">
        The {noun} was deleted.
      </Text>
    )
  return (
    <div className={reports.quote}>
      <Text size="sm" c="dimmed">
        By{' '}
        <Anchor component={Link} to={`/admin/accounts/${content.account_id}`} c="inherit">
          {content.account_name}
        </Anchor>
        {content.hidden && ' · hidden from other people'}
      </Text>
      {content.text && <p className={reports.words}>{content.text}</p>}
      <Group gap="xs" mt="xs">
        <Button
          size="xs"
          variant="default"
          c={content.hidden ? undefined : 'var(--g-bad)'}
          loading={hide.isPending}
          onClick={() => hide.mutate(!content.hidden)}
        >
          {content.hidden ? `Restore ${noun}` : `Hide ${noun}`}
        </Button>
        {content.submission_id && <SubmissionSource id={content.submission_id} />}
      </Group>
      {hide.error && <ErrorMessage error={hide.error} />}
    </div>
  )
}

function AnswerForm({ item, done }: { item: Item; done: () => void }) {
  const [state, setState] = useState<string | null>(item.state === 'open' ? 'accepted' : item.state)
  const answer = useAdminMutation((body: Schemas['Answer']) =>
    unwrap(
      api.POST('/api/admin/reports/{report_id}/answer', { params: { path: { report_id: item.id } }, body }),
    ),
  )
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const reply = String(new FormData(event.currentTarget).get('reply') ?? '')
    answer.mutate({ state: state as Schemas['Answer']['state'], reply }, { onSuccess: done })
  }
  return (
    <form onSubmit={send} style={{ marginTop: '0.75rem' }}>
      {answer.error && <ErrorMessage error={answer.error} />}
      <Select
        label="Decision"
        data={CHOICES.filter(each => each.value !== 'open')}
        value={state}
        onChange={setState}
        allowDeselect={false}
        w={220}
        mb="sm"
      />
      <Textarea
        name="reply"
        label="Answer"
        description="The person who sent this sees your answer."
        defaultValue={item.reply}
        required={state === 'declined'}
        autosize
        minRows={2}
        maxLength={1000}
      />
      <Group mt="sm">
        <Button type="submit" size="xs" loading={answer.isPending}>
          Send answer
        </Button>
        <Button size="xs" variant="default" onClick={done}>
          Cancel
        </Button>
      </Group>
    </form>
  )
}
