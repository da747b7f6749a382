import { Alert, Button, Group, Stack } from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'
import { Refusal } from '../api/client'

interface Props {
  /** What it did not take, if it did not. */
  error: Error | null
  busy: boolean
  button: string
  /** Whether something is to be filled in before it can be sent. */
  blocked?: boolean
  /** Whether it takes something away. */
  grave?: boolean
  send: (form: FormData) => void
  cancel: () => void
  children: ReactNode
}

/** A small form that opens below a row. Errors that name a field stand at that field, and nowhere else. */
export function SmallForm({ error, busy, button, blocked, grave, send, cancel, children }: Props) {
  const named = error instanceof Refusal && error.fields.length > 0
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    send(new FormData(event.currentTarget))
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {error && !named && (
          <Alert color="red" variant="light" role="alert">
            {error.message}
          </Alert>
        )}
        {children}
        <Group gap="sm">
          <Button type="submit" loading={busy} disabled={blocked} color={grave ? 'red.9' : undefined}>
            {button}
          </Button>
          <Button variant="subtle" color="gray" onClick={cancel}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

export const at = (error: Error | null, field: string) =>
  error instanceof Refusal ? error.of(field) : undefined
