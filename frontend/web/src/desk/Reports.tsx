import { Anchor, Button, Group, Select, Text, Textarea } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { api, type Schemas, told } from '../api/client'
import { Pages } from '../parts/Pages'
import { Broken } from '../parts/States'
import { KINDS, Place, STATES } from '../reports/words'
import css from './Desk.module.css'
import { useDeed, usePages } from './data'
import { when } from './format'
import { Chip, Part } from './Parts'
import { Source } from './Sent'

type Item = Schemas['SentReport']
type State = Item['state']
const CHOICES = Object.entries(STATES).map(([value, label]) => ({ value, label }))

const TOLD = {
  error: 'What people found wrong. Answer each: its author reads the answer on their own page.',
  suggestion: 'Questions that people miss here. To decline needs a word why.',
}

export function Reports({ kind }: { kind: 'error' | 'suggestion' }) {
  const [params, setParams] = useSearchParams()
  const asked = params.get('state') ?? 'open'
  const state = asked in STATES ? (asked as State) : null
  const query = usePages(['reports', kind, asked], cursor =>
    told(
      api.GET('/api/admin/reports', {
        params: { query: { kind, cursor, limit: 20, ...(state ? { state } : {}) } },
      }),
    ),
  )
  return (
    <Part title={kind === 'error' ? 'Reports' : 'Suggestions'} told={TOLD[kind]}>
      <div className={css.filters}>
        <Select
          label="State"
          data={[{ value: 'all', label: 'All' }, ...CHOICES]}
          value={state ?? 'all'}
          onChange={value => setParams(value && value !== 'open' ? { state: value } : {}, { replace: true })}
          allowDeselect={false}
          w={180}
        />
      </div>
      <Pages query={query} empty="Nothing here.">
        {items => items.map(item => <One key={item.id} item={item} />)}
      </Pages>
    </Part>
  )
}

function One({ item }: { item: Item }) {
  const [open, setOpen] = useState(false)
  return (
    <article className={css.card}>
      <div className={css.head}>
        <Text fw={600}>{item.kind === 'suggestion' ? item.title : KINDS[item.kind]}</Text>
        <Chip state={item.state}>{STATES[item.state]}</Chip>
        <Text size="sm" c="dimmed">
          <Place item={item} />
          <Anchor component={Link} to={`/admin/accounts/${item.account_id}`} c="inherit">
            {item.account_name}
          </Anchor>
          {' · '}
          {when(item.created_at)}
        </Text>
      </div>
      {item.tests && <p className={css.words}>{item.tests}</p>}
      {item.why && <p className={css.words}>Why it is asked: {item.why}</p>}
      {item.words && <p className={css.words}>{item.words}</p>}
      {item.reply && <p className={css.reply}>{item.reply}</p>}
      <Group gap="xs" mt="sm">
        {!open && (
          <Button size="xs" variant="default" onClick={() => setOpen(true)}>
            {item.state === 'open' ? 'Answer' : 'Change the answer'}
          </Button>
        )}
        {item.submission_id && <Source id={item.submission_id} label="Read the answer that shows it" />}
      </Group>
      {open && <AnswerForm item={item} done={() => setOpen(false)} />}
    </article>
  )
}

function AnswerForm({ item, done }: { item: Item; done: () => void }) {
  const [state, setState] = useState<string | null>(item.state === 'open' ? 'accepted' : item.state)
  const answer = useDeed((body: Schemas['Answer']) =>
    told(
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
      {answer.error && <Broken error={answer.error} />}
      <Select
        label="What becomes of it"
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
        description="Its author reads this."
        defaultValue={item.reply}
        required={state === 'declined'}
        autosize
        minRows={2}
        maxLength={1000}
      />
      <Group mt="sm">
        <Button type="submit" size="xs" loading={answer.isPending}>
          Send the answer
        </Button>
        <Button size="xs" variant="default" onClick={done}>
          Not now
        </Button>
      </Group>
    </form>
  )
}
