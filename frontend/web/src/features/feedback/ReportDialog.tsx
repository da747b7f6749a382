import { Anchor, Button, Group, Modal, Select, Text, Textarea } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { ApiError, api, type Schemas, unwrap } from '@/api/client'
import { submissions, useGuest, useMe } from '@/api/queries'
import { VERDICTS } from '@/shared/verdicts'
import { type About, KINDS } from './reportStates'

type New = Schemas['NewReport']
const when = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const TITLES: Record<About['about'], string> = {
  challenge: 'Report an error in this challenge',
  topic: 'Report an error in this topic',
  question: 'Report an error in this question',
  comment: 'Report this comment',
  answer: 'Report this answer',
}
const OF_CONTENT: New['kind'][] = ['verdict', 'statement', 'typo', 'fact', 'other']
const OF_WRITTEN: New['kind'][] = ['spam', 'offensive', 'spoiler', 'other']

export default function ReportDialog({ about, target, onClose }: About & { onClose: () => void }) {
  return (
    <Modal opened onClose={onClose} title={TITLES[about]} centered>
      <Form about={about} target={target} onClose={onClose} />
    </Modal>
  )
}

/** What guests should know before they send a report. */
function AsGuest() {
  const { pathname } = useLocation()
  return (
    <Text size="sm" c="dimmed" mb="md">
      You are a guest, so you can read our answer only in this browser. To read it anywhere,{' '}
      <Anchor component={Link} to={`/sign-in?new=1&then=${encodeURIComponent(pathname)}`}>
        create an account
      </Anchor>
      .
    </Text>
  )
}

function Form({ about, target, onClose }: About & { onClose: () => void }) {
  const client = useQueryClient()
  const account = useMe()
  const guest = useGuest()
  const written = about === 'comment' || about === 'answer'
  const [kind, setKind] = useState<New['kind']>(
    written ? 'spam' : about === 'challenge' ? 'statement' : 'fact',
  )
  const [evidence, setEvidence] = useState<string | null>(null)
  const send = useMutation({
    mutationFn: async (words: string) => {
      await guest()
      return unwrap(
        api.POST('/api/reports', { body: { about, target, kind, words, submission_id: evidence } }),
      )
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
          Thank you. Your report and our answer appear under{' '}
          <Anchor component={Link} to="/my-reports">
            My reports
          </Anchor>
          .
        </Text>
        <Group justify="flex-end" mt="lg">
          <Button onClick={onClose}>Close</Button>
        </Group>
      </>
    )
  const kinds = (written ? OF_WRITTEN : OF_CONTENT).filter(each => each !== 'verdict' || about !== 'topic')
  return (
    <form onSubmit={submit}>
      <Select
        label="What is wrong"
        data={kinds.map(value => ({ value, label: KINDS[value] }))}
        value={kind}
        onChange={value => value && setKind(value as New['kind'])}
        allowDeselect={false}
        mb="md"
      />
      <Textarea
        name="words"
        label="Details"
        description={
          written ? 'What moderators should know' : 'Where the error is, and what it should say instead'
        }
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
          Cancel
        </Button>
        <Button type="submit" loading={send.isPending}>
          {' '}
          Send report{' '}
        </Button>
      </Group>
    </form>
  )
}

function messageOf(error: Error) {
  return (error instanceof ApiError && error.messageFor('words')) || error.message
}

function Evidence(props: { slug: string; value: string | null; onChange: (id: string | null) => void }) {
  const { data } = useQuery(submissions(props.slug, true))
  const items = data?.filter(each => each.status === 'judged' && each.kind !== 'scratch') ?? []
  if (items.length === 0) return null
  return (
    <Select
      label="Related submission"
      description="Optional. Admins who read the report can see the submission."
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
