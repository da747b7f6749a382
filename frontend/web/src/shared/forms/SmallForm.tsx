import { Alert, Button, Group, Stack } from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'
import { ApiError } from '@/api/client'

interface Props {
  /** The error of the last attempt, if it failed. */
  error: Error | null
  busy: boolean
  button: string
  /** Whether required input is missing, so that the form cannot be sent yet. */
  blocked?: boolean
  /** Whether the action is destructive. */
  grave?: boolean
  send: (form: FormData) => void
  cancel: () => void
  children: ReactNode
}

/** A small form that opens below a row. An error that names a field appears only at that field. */
export function SmallForm({ error, busy, button, blocked, grave, send, cancel, children }: Props) {
  const named = error instanceof ApiError && error.fields.length > 0
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

export const fieldError = (error: Error | null, field: string) =>
  error instanceof ApiError ? error.messageFor(field) : undefined
