import { Anchor, Button, Group, Modal, Select, Text, Textarea } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { api, Refusal, type Schemas, told } from '../api/client'
import { submissions, useGuest, useMe } from '../api/queries'
import { VERDICTS } from '../challenge/verdicts'
import type { About } from './ReportError'
import { KINDS } from './words'

type New = Schemas['NewReport']
const when = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const NOUNS = { challenge: 'challenge', topic: 'topic', question: 'question' }

export default function Dialog({ about, target, onClose }: About & { onClose: () => void }) {
  return (
    <Modal opened onClose={onClose} title={`Report an error in this ${NOUNS[about]}`} centered>
      <Form about={about} target={target} onClose={onClose} />
    </Modal>
  )
}

/** What a guest should know before sending. */
function AsGuest() {
  const { pathname } = useLocation()
  return (
    <Text size="sm" c="dimmed" mb="md">
      You are here as a guest: our answer can be read in this browser only, or from anywhere after you{' '}
      <Anchor component={Link} to={`/sign-in?new=1&then=${encodeURIComponent(pathname)}`}>
        sign up
      </Anchor>
      .
    </Text>
  )
}

function Form({ about, target, onClose }: About & { onClose: () => void }) {
  const client = useQueryClient()
  const account = useMe()
  const guest = useGuest()
  const [kind, setKind] = useState<New['kind']>(about === 'challenge' ? 'statement' : 'fact')
  const [evidence, setEvidence] = useState<string | null>(null)
  const send = useMutation({
    mutationFn: async (words: string) => {
      await guest()
      return told(api.POST('/api/reports', { body: { about, target, kind, words, submission_id: evidence } }))
    },
    onSuccess: () => client.invalidateQueries({ queryKey: ['reports'] }),
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    send.mutate(String(new FormData(event.currentTarget).get('words')))
  }
  if (send.isSuccess)
    return (
      <>
        <Text role="status">
          Thank you. It stands among{' '}
          <Anchor component={Link} to="/my-reports">
            your reports
          </Anchor>
          , where you will read the answer.
        </Text>
        <Group justify="flex-end" mt="lg">
          <Button onClick={onClose}>Close</Button>
        </Group>
      </>
    )
  const kinds = Object.entries(KINDS).filter(
    ([value]) => value !== 'suggestion' && (value !== 'verdict' || about !== 'topic'),
  )
  return (
    <form onSubmit={submit}>
      <Select
        label="What is wrong"
        data={kinds.map(([value, label]) => ({ value, label }))}
        value={kind}
        onChange={value => value && setKind(value as New['kind'])}
        allowDeselect={false}
        mb="md"
      />
      <Textarea
        name="words"
        label="In your words"
        description="Where it is, and what should stand there"
        required
        minLength={10}
        maxLength={4000}
        autosize
        minRows={4}
        maxRows={12}
        mb="md"
        error={send.error ? messageOf(send.error) : undefined}
      />
      {(!account || account.role === 'guest') && <AsGuest />}
      {about === 'challenge' && account && <Evidence slug={target} value={evidence} onChange={setEvidence} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Not now
        </Button>
        <Button type="submit" loading={send.isPending}>
          Send
        </Button>
      </Group>
    </form>
  )
}

function messageOf(error: Error) {
  return (error instanceof Refusal && error.of('words')) || error.message
}

function Evidence(props: { slug: string; value: string | null; onChange: (id: string | null) => void }) {
  const { data } = useQuery(submissions(props.slug, true))
  const items = data?.filter(each => each.status === 'judged' && each.kind !== 'scratch') ?? []
  if (items.length === 0) return null
  return (
    <Select
      label="An answer of yours that shows it"
      description="Optional. Whoever reads the report may read it."
      placeholder="None"
      clearable
      data={items.map(each => ({
        value: each.id,
        label: `${each.verdict ? VERDICTS[each.verdict].name : ''}, ${when.format(new Date(each.created_at))}`,
      }))}
      value={props.value}
      onChange={props.onChange}
      mb="md"
    />
  )
}
