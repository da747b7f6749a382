import { Button, Group, Loader, Select, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Schemas } from '@/api/client'
import { challengeProgress, source, submissions } from '@/api/queries'
import { TextComparison } from '@/features/editor'
import { isAnswer } from '@/features/judging'
import { Code } from '@/shared/markdown/Markdown'
import { Loaded } from '@/shared/ui/QueryStates'
import { VERDICTS } from '@/shared/verdicts'
import { ShareControls } from './ShareControls'
import { SubmissionTable } from './SubmissionTable'

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

/** The user's own submissions for a challenge: view one, compare two, restore one to the editor, or share one. */
export default function SubmissionHistory(props: Props) {
  const { slug } = props.challenge
  const query = useQuery(submissions(slug, props.signedIn))
  if (!props.signedIn) return <Text c="dimmed">No submissions yet. Your submissions are listed here.</Text>
  return (
    <Loaded query={query}>
      {all => {
        const items = all.filter(isAnswer)
        const open = items.find(each => each.id === props.answer)
        if (items.length === 0) return <Text c="dimmed">No submissions yet.</Text>
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
  const shown = useRef<HTMLElement>(null)
  const loaded = own !== undefined
  // The answer appears above the table, which can be out of view of the row that opened it.
  useEffect(() => {
    if (!loaded) return
    shown.current?.scrollIntoView({ block: 'nearest' })
    shown.current?.focus({ preventScroll: true })
  }, [loaded])
  if (!loaded) return <Loader size="sm" my="md" />
  return (
    <section ref={shown} aria-label="The answer" tabIndex={-1}>
      <Title order={2} fz="1rem">
        {named(open)}
      </Title>
      <Group gap="xs" mt="xs" mb="sm" align="end">
        <Select
          label="Compare with"
          size="xs"
          w={290}
          clearable
          placeholder="Nothing"
          value={other}
          onChange={setOther}
          data={[
            { value: EDITOR, label: 'The code in the editor' },
            ...others.map(each => ({ value: each.id, label: named(each) })),
          ]}
        />
        <Button size="xs" variant="default" disabled={draft === own} onClick={() => onLoad(own)}>
          {draft === own ? 'Already in the editor' : 'Copy to the editor'}
        </Button>
      </Group>
      {other !== null && against !== undefined ? (
        <TextComparison {...inOrder(open, own, card, against)} />
      ) : (
        <Code source={own} />
      )}
      {open.verdict === 'AC' && open.kind === 'submit' && <ShareControls id={open.id} />}
    </section>
  )
}

/** The older of the two comes first. The code in the editor counts as the newest. */
function inOrder(open: Card, own: string, other: Card | undefined, against: string) {
  if (!other) return { before: own, after: against, names: ['this answer', 'the editor'] as [string, string] }
  if (other.id > open.id)
    return { before: own, after: against, names: ['this answer', named(other)] as [string, string] }
  return { before: against, after: own, names: [named(other), 'this answer'] as [string, string] }
}

/** Notes that only the owner sees. */
function OwnNotes({ challenge: { slug, hints_count } }: { challenge: Schemas['ChallengeView'] }) {
  const own = useQuery(challengeProgress(slug, true)).data
  if (!own || (own.hints === 0 && !own.gave_up_at)) return null
  return (
    <Text size="sm" c="dimmed" mt="md">
      {own.hints > 0 && `You opened ${own.hints} of ${hints_count} hints. `}
      {own.gave_up_at &&
        `On ${when.format(new Date(own.gave_up_at))}, you gave up on this challenge. Later answers earn no points.`}
    </Text>
  )
}
