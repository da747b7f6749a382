import { Alert, Button, Container, PasswordInput, Text, Title } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { api, told } from '../api/client'
import { me, useSigning } from '../api/queries'
import { useTitle } from '../parts/title'
import { kept } from '../team/kept'

/** Where the links of letters lead that prove an address. A button is pressed, so that programs which open links use none up. */
export function Component() {
  const token = useLocation().hash.slice(1)
  useTitle('Confirm your address')
  return (
    <Container size={420} py={{ base: 40, sm: 72 }}>
      {token.startsWith('new_') ? (
        <NewAccount key={token} token={token} />
      ) : token ? (
        <Address key={token} token={token} />
      ) : (
        <>
          <Title order={1} mb="sm">
            Nothing to confirm
          </Title>
          <Text c="dimmed">Open the link in the letter that was sent to you. It leads here.</Text>
        </>
      )}
    </Container>
  )
}

function Failed({ error }: { error: Error | null }) {
  return error ? (
    <Alert color="red" variant="light" mb="md" role="alert">
      {error.message}
    </Alert>
  ) : null
}

function NewAccount({ token }: { token: string }) {
  const go = useNavigate()
  const confirm = useSigning((password: string) =>
    told(api.POST('/api/accounts/confirm', { body: { token, password } })),
  )
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const password = String(new FormData(event.currentTarget).get('password'))
    confirm.mutate(password, { onSuccess: () => go(kept() ? '/join' : '/catalogue') })
  }
  return (
    <form onSubmit={send}>
      <Title order={1} mb="sm">
        Confirm your account
      </Title>
      <Text c="dimmed" mb="lg">
        Give the password that you chose when you asked for the account.
      </Text>
      <Failed error={confirm.error} />
      <PasswordInput name="password" label="Password" autoComplete="current-password" required mb="lg" />
      <Button type="submit" fullWidth loading={confirm.isPending}>
        Confirm and sign in
      </Button>
    </form>
  )
}

function Address({ token }: { token: string }) {
  const client = useQueryClient()
  const confirm = useMutation({
    mutationFn: () => told(api.POST('/api/email/confirm', { body: { token } })),
    onSuccess: () => client.invalidateQueries({ queryKey: me.queryKey }),
  })
  if (confirm.data)
    return (
      <>
        <Title order={1} mb="sm">
          Confirmed
        </Title>
        <Text c="dimmed" mb="lg" role="status">
          {confirm.data.email} is yours.
        </Text>
        <Button component={Link} to="/catalogue" fullWidth>
          Go to the catalogue
        </Button>
      </>
    )
  return (
    <>
      <Title order={1} mb="sm">
        Confirm your address
      </Title>
      <Text c="dimmed" mb="lg">
        One press, and the address in your letter belongs to your account.
      </Text>
      <Failed error={confirm.error} />
      <Button fullWidth loading={confirm.isPending} onClick={() => confirm.mutate()}>
        Confirm the address
      </Button>
    </>
  )
}
