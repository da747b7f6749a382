import { Button, Group } from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'
import { Dialog } from '../ui/Dialog'
import { ErrorMessage } from '../ui/QueryStates'

interface Props {
  title: string
  label: string
  children: ReactNode
  onClose: () => void
  onSend: () => void
  busy: boolean
  error?: Error | null
  /** Whether the action is destructive. */
  grave?: boolean
  disabled?: boolean
}

/** A dialog that explains the consequences and acts on confirmation. */
export function ConfirmDialog(props: Props) {
  const send = (event: FormEvent) => {
    event.preventDefault()
    props.onSend()
  }
  return (
    <Dialog title={props.title} onClose={props.onClose}>
      <form onSubmit={send}>
        {props.children}
        {props.error && <ErrorMessage error={props.error} />}
        <Group mt="lg" justify="flex-end">
          <Button variant="default" onClick={props.onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            color={props.grave ? 'red.9' : undefined}
            loading={props.busy}
            disabled={props.disabled}
          >
            {props.label}
          </Button>
        </Group>
      </form>
    </Dialog>
  )
}
