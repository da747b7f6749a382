import { Button, Group, Modal } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { ErrorMessage } from '../ui/QueryStates'

interface Props {
  label: string
  title: string
  children: ReactNode
  act: () => Promise<unknown>
  disabled?: boolean
  /** Whether the action is destructive. */
  grave?: boolean
}

/** A button that asks for confirmation with a sentence about the consequences. */
export function ConfirmButton({ label, title, children, act, disabled, grave }: Props) {
  const [open, setOpen] = useState(false)
  const [error, setError] = useState<Error>()
  const [busy, setBusy] = useState(false)
  const go = async () => {
    setBusy(true)
    try {
      await act()
      setOpen(false)
      setError(undefined)
    } catch (refused) {
      setError(refused as Error)
    }
    setBusy(false)
  }
  return (
    <>
      <Button
        size="xs"
        variant="default"
        c={grave ? 'var(--g-bad)' : undefined}
        disabled={disabled}
        onClick={() => setOpen(true)}
      >
        {label}
      </Button>
      <Modal opened={open} onClose={() => setOpen(false)} title={title} centered>
        {children}
        {error && <ErrorMessage error={error} />}
        <Group mt="lg" justify="flex-end">
          <Button variant="default" onClick={() => setOpen(false)}>
            Cancel
          </Button>
          <Button color={grave ? 'red.9' : undefined} loading={busy} onClick={go}>
            {label}
          </Button>
        </Group>
      </Modal>
    </>
  )
}
