import { Anchor, Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { TextComparison } from '@/features/editor'
import { Dialog } from '@/shared/ui/Dialog'
import type { Draft, DraftAutosave } from './DraftAutosave'

const WORDS: Record<Draft['status'], string> = {
  local: 'saved in this browser',
  loading: '',
  saving: 'saving',
  saved: 'saved',
  offline: 'offline, saved in this browser',
  refused: 'not saved',
  conflict: 'changed on another device',
}
const when = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** Shows where the draft is saved, and what to do about a conflict. */
export function DraftNote({ draft, keeper }: { draft: Draft; keeper: DraftAutosave }) {
  const [earlier, setEarlier] = useState(false)
  const { theirs, previous } = draft
  return (
    <>
      <Text size="xs" c="dimmed" role="status" title={draft.message}>
        {WORDS[draft.status]}
      </Text>
      {previous && (
        <Anchor component="button" type="button" size="xs" onClick={() => setEarlier(true)}>
          Show an earlier draft
        </Anchor>
      )}
      {theirs && (
        <Two
          title="This draft was changed in another tab or on another device"
          description={`The other version was saved ${when.format(new Date(theirs.saved_at ?? Date.now()))}. Nothing is overwritten until you decide.`}
          names={['the other version', 'this version']}
          other={theirs.source}
          own={draft.text}
          onDecide={text => keeper.settle(text)}
        />
      )}
      {earlier && previous && (
        <Two
          title="A draft from before you signed in"
          description={`It was saved ${when.format(new Date(previous.saved_at))} and replaced by a newer one.`}
          names={['the earlier draft', 'the current draft']}
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
  description: string
  names: [string, string]
  other: string
  own: string
  onDecide: (text: string) => void
  onClose?: () => void
}

/** Resolves a conflict between two drafts. The second one can be edited to merge both. */
export function Two({ title, description, names, other, own, onDecide, onClose }: Both) {
  const [first] = useState(own)
  const [merged, setMerged] = useState(own)
  return (
    <Dialog title={title} size="80rem" {...(onClose && { onClose })}>
      <Text size="sm">{description}</Text>
      <Text size="sm" c="dimmed" mt={4}>
        You can edit {names[1]} here. Accept individual changes or edit the text directly.
      </Text>
      <TextComparison before={other} after={first} names={names} onChange={setMerged} />
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={() => onDecide(other)}>
          Use {names[0]}
        </Button>
        <Button data-autofocus onClick={() => onDecide(merged)}>
          {merged === first ? `Keep ${names[1]}` : 'Keep the edited version'}
        </Button>
      </Group>
    </Dialog>
  )
}
