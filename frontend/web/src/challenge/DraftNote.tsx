import { Anchor, Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { Dialog } from '../parts/Dialog'
import { Compare } from './Compare'
import type { Draft, Keeper } from './keeper'

const WORDS: Record<Draft['status'], string> = {
  local: 'kept in this browser',
  loading: '',
  saving: 'saving',
  saved: 'saved',
  offline: 'offline: kept in this browser',
  refused: 'not saved',
  conflict: 'changed on another device',
}
const when = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** Where the draft is kept, and what to do when two of them are there. */
export function DraftNote({ draft, keeper }: { draft: Draft; keeper: Keeper }) {
  const [earlier, setEarlier] = useState(false)
  const { theirs, previous } = draft
  return (
    <>
      <Text size="xs" c="dimmed" role="status" title={draft.message}>
        {WORDS[draft.status]}
      </Text>
      {previous && (
        <Anchor component="button" type="button" size="xs" onClick={() => setEarlier(true)}>
          An earlier draft is kept
        </Anchor>
      )}
      {theirs && (
        <Two
          title="Another device saved this draft meanwhile"
          told={`Its text was saved ${when.format(new Date(theirs.saved_at ?? Date.now()))}. Nothing is overwritten until you decide.`}
          names={['the other device', 'this device']}
          other={theirs.source}
          own={draft.text}
          onDecide={text => keeper.settle(text)}
        />
      )}
      {earlier && previous && (
        <Two
          title="A draft from before you signed in"
          told={`It was saved ${when.format(new Date(previous.saved_at))}, and a newer one took its place.`}
          names={['the earlier draft', 'the present one']}
          other={previous.source}
          own={draft.text}
          onDecide={text => {
            keeper.settlePrevious(text)
            setEarlier(false)
          }}
          onClose={() => setEarlier(false)}
        />
      )}
    </>
  )
}

interface Both {
  title: string
  told: string
  names: [string, string]
  other: string
  own: string
  onDecide: (text: string) => void
  onClose?: () => void
}

/** Two drafts, and the choice between them; the second may be changed until it holds what is wanted of both. */
export function Two({ title, told, names, other, own, onDecide, onClose }: Both) {
  const [first] = useState(own)
  const [merged, setMerged] = useState(own)
  return (
    <Dialog title={title} size="80rem" {...(onClose && { onClose })}>
      <Text size="sm">{told}</Text>
      <Text size="sm" c="dimmed" mt={4}>
        The text of {names[1]} can be changed here: take over single differences, or write.
      </Text>
      <Compare before={other} after={first} names={names} onChange={setMerged} />
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={() => onDecide(other)}>
          Take {names[0]}
        </Button>
        <Button data-autofocus onClick={() => onDecide(merged)}>
          {merged === first ? `Keep ${names[1]}` : 'Keep what stands here'}
        </Button>
      </Group>
    </Dialog>
  )
}
