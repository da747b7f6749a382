import { Button, Group, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { Dialog } from '../parts/Dialog'
import { useWork } from './context'
import { useActs } from './useActs'

/** Another name for the assessment; candidates read it too. */
export function Rename({ onClose }: { onClose: () => void }) {
  const work = useWork()
  const { rename } = useActs(work)
  const [name, setName] = useState(work.assessment.name)
  const send = (event: FormEvent) => {
    event.preventDefault()
    rename.mutate(name, { onSuccess: onClose })
  }
  return (
    <Dialog title="Rename" onClose={onClose}>
      <form onSubmit={send}>
        <TextInput
          data-autofocus
          label="Name"
          description="Candidates read it too."
          required
          maxLength={120}
          value={name}
          error={rename.error?.message}
          onChange={event => setName(event.currentTarget.value)}
        />
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={rename.isPending}>
            Rename
          </Button>
        </Group>
      </form>
    </Dialog>
  )
}
