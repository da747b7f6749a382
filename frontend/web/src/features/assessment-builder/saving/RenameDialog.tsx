import { Button, Group, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { Dialog } from '@/shared/ui/Dialog'
import { usePlanContext } from '../context'
import { useAssessmentActions } from '../useAssessmentActions'

/** Renames the assessment. Candidates see the name too. */
export function RenameDialog({ onClose }: { onClose: () => void }) {
  const work = usePlanContext()
  const { rename } = useAssessmentActions(work)
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
          description="Candidates see this name."
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
