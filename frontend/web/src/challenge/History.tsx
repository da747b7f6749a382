import { Button, Group, Loader, Select, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Schemas } from '../api/client'
import { source, submissions, way } from '../api/queries'
import { Code } from '../parts/Markdown'
import { Loaded } from '../parts/States'
import { SubmissionTable } from '../parts/SubmissionTable'
import { Compare } from './Compare'
import { Share } from './Share'
import { VERDICTS } from './verdicts'

type Card = Schemas['SubmissionCard']
const EDITOR = 'editor'
const when = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const named = (card: Card) =>
  `${when.format(new Date(card.created_at))}, ${card.verdict ? VERDICTS[card.verdict].name : card.status}`

interface Props {
  challenge: Schemas['ChallengeView']
  signedIn: boolean
  draft: string
  onLoad: (text: string) => void
  answer: string | null
  onAnswer: (id: string | null) => void
}

/** One's own answers to this challenge: look at one, compare two, take one back into the editor, share one. */
export function History(props: Props) {
  const { slug } = props.challenge
  const query = useQuery(submissions(slug, props.signedIn))
  if (!props.signedIn) return <Text c="dimmed">Nothing sent yet. What you send is listed here.</Text>
  return (
    <Loaded query={query}>
      {all => {
        const items = all.filter(each => each.kind !== 'scratch')
        const open = items.find(each => each.id === props.answer)
        if (items.length === 0) return <Text c="dimmed">Nothing sent yet.</Text>
        return (
          <>
            {open && (
              <Answer {...props} key={open.id} open={open} others={items.filter(each => each !== open)} />
            )}
            <SubmissionTable
              items={items}
              action={item => (
                <Button
                  size="compact-xs"
                  variant="subtle"
                  aria-pressed={item.id === props.answer}
                  onClick={() => props.onAnswer(item.id === props.answer ? null : item.id)}
                >
                  {item.id === props.answer ? 'Close' : 'Open'}
                </Button>
              )}
            />
            <OwnNotes challenge={props.challenge} />
          </>
        )
      }}
    </Loaded>
  )
}

function Answer({ open, others, draft, onLoad }: Props & { open: Card; others: Card[] }) {
  const [other, setOther] = useState<string | null>(null)
  const own = useQuery(source(open.id)).data?.source
  const second = useQuery({ ...source(other ?? ''), enabled: other !== null && other !== EDITOR }).data
    ?.source
  const against = other === EDITOR ? draft : second
  const card = others.find(each => each.id === other)
  if (own === undefined) return <Loader size="sm" my="md" />
  return (
    <section aria-label="The answer">
      <Title order={2} fz="1rem">
        {named(open)}
      </Title>
      <Group gap="xs" mt="xs" mb="sm" align="end">
        <Select
          label="Compare with"
          size="xs"
          w={290}
          clearable
          placeholder="nothing"
          value={other}
          onChange={setOther}
          data={[
            { value: EDITOR, label: 'what is in the editor' },
            ...others.map(each => ({ value: each.id, label: named(each) })),
          ]}
        />
        <Button size="xs" variant="default" disabled={draft === own} onClick={() => onLoad(own)}>
          {draft === own ? 'It is in the editor' : 'Put it into the editor'}
        </Button>
      </Group>
      {other !== null && against !== undefined ? (
        <Compare {...inOrder(open, own, card, against)} />
      ) : (
        <Code source={own} />
      )}
      {open.verdict === 'AC' && open.kind === 'submit' && <Share id={open.id} />}
    </section>
  )
}

/** The older of the two comes first; what is in the editor is the newest. */
function inOrder(open: Card, own: string, other: Card | undefined, against: string) {
  if (!other) return { before: own, after: against, names: ['this answer', 'the editor'] as [string, string] }
  if (other.id > open.id)
    return { before: own, after: against, names: ['this answer', named(other)] as [string, string] }
  return { before: against, after: own, names: [named(other), 'this answer'] as [string, string] }
}

/** What only the owner is told. */
function OwnNotes({ challenge: { slug, hints_count } }: { challenge: Schemas['ChallengeView'] }) {
  const own = useQuery(way(slug, true)).data
  if (!own || (own.hints === 0 && !own.gave_up_at)) return null
  return (
    <Text size="sm" c="dimmed" mt="md">
      {own.hints > 0 && `You opened ${own.hints} of ${hints_count} hints. `}
      {own.gave_up_at &&
        `You gave up on ${when.format(new Date(own.gave_up_at))}: answers sent since then bring no points.`}
    </Text>
  )
}
