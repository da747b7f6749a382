import { Alert, Button, Group, Modal, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { type FormEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { api, type Schemas, unwrap } from '@/api/client'
import { useSignInMutation } from '@/api/queries'
import { removeDrafts } from '@/features/drafts'
import { Row } from '@/shared/forms/Section'

type Account = Schemas['AccountView']

/** Exports the account's data and deletes the account. */
export function DataExport({ account }: { account: Account }) {
  const [open, { open: ask, close }] = useDisclosure()
  return (
    <>
      <Row
        label="Download your data"
        hint="All data that this site stores about you, as one JSON file: submissions with their code and results, quizzes, sessions and more."
        action={
          <Button component="a" href="/api/me/export" download variant="default" size="xs">
            Download your data
          </Button>
        }
      />
      <Row
        label="Delete account"
        hint="Deletes your answers, results, leaderboard places and settings immediately. This cannot be undone."
        action={
          <Button variant="default" c="var(--g-bad)" size="xs" onClick={ask}>
            Delete my account
          </Button>
        }
      />
      <Modal.Root opened={open} onClose={close} centered>
        <Modal.Overlay />
        <Modal.Content aria-label="Delete my account" radius="lg">
          <Modal.Body p="lg">
            <Leave account={account} close={close} />
          </Modal.Body>
        </Modal.Content>
      </Modal.Root>
    </>
  )
}

/** The state of the history entry of the home page after the account was deleted. */
const ACCOUNT_DELETED = { accountDeleted: true }

function Leave({ account, close }: { account: Account; close: () => void }) {
  const go = useNavigate()
  const [typed, setTyped] = useState('')
  const leave = useSignInMutation(async (password: string) => {
    await unwrap(api.DELETE('/api/me', { body: { password } }))
    removeDrafts(account.id)
    return null
  })
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const password = String(new FormData(event.currentTarget).get('password') ?? '')
    leave.mutate(password, { onSuccess: () => go('/', { state: ACCOUNT_DELETED }) })
  }
  return (
    <form onSubmit={send}>
      <Stack gap="md">
        <Title order={2} fz="1.3rem">
          Delete my account
        </Title>
        <Text size="sm">
          This permanently deletes your answers, results, leaderboard places and settings. Download your data
          first if you want to keep a copy.
        </Text>
        {leave.error && (
          <Alert color="red" variant="light" role="alert">
            {leave.error.message}
          </Alert>
        )}
        <TextInput
          label={`Type “${account.email}” to confirm`}
          autoComplete="off"
          value={typed}
          onChange={event => setTyped(event.currentTarget.value)}
          data-autofocus
        />
        {account.has_password && (
          <PasswordInput name="password" label="Password" autoComplete="current-password" required />
        )}
        <Group gap="sm">
          <Button
            type="submit"
            color="red"
            loading={leave.isPending}
            disabled={typed.trim().toLowerCase() !== account.email}
          >
            Delete permanently
          </Button>
          <Button variant="subtle" color="gray" onClick={close}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
