import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { TextComparison } from '@/features/editor'
import { Dialog } from '@/shared/ui/Dialog'

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
export default function DraftConflict({ title, description, names, other, own, onDecide, onClose }: Both) {
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
