import { Button, Group } from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'
import { Dialog } from '../parts/Dialog'
import { Broken } from '../parts/States'

interface Props {
  title: string
  label: string
  children: ReactNode
  onClose: () => void
  onSend: () => void
  busy: boolean
  error?: Error | null
  /** Whether it takes something away. */
  grave?: boolean
  disabled?: boolean
}

/** A dialog that says what will happen, and does it when it is told to. */
export function Ask(props: Props) {
  const send = (event: FormEvent) => {
    event.preventDefault()
    props.onSend()
  }
  return (
    <Dialog title={props.title} onClose={props.onClose}>
      <form onSubmit={send}>
        {props.children}
        {props.error && <Broken error={props.error} />}
        <Group mt="lg" justify="flex-end">
          <Button variant="default" onClick={props.onClose}>
            Not now
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
