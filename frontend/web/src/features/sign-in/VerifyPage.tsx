import { Alert, Button, Container, PasswordInput, Text, Title } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { api, unwrap } from '@/api/client'
import { me, useSignInMutation } from '@/api/queries'
import { storedInvitation } from '@/features/teams'
import { useTitle } from '@/shared/hooks/useTitle'

/**
 * The page of emailed links that verify an address. It requires a click, so that programs that follow links do not use them up.
 */
export function Component() {
  const token = useLocation().hash.slice(1)
  useTitle('Verify your email')
  return (
    <Container size={420} py={{ base: 40, sm: 72 }}>
      {token.startsWith('new_') ? (
        <NewAccount key={token} token={token} />
      ) : token ? (
        <Address key={token} token={token} />
      ) : (
        <>
          <Title order={1} mb="sm">
            Nothing to verify
          </Title>
          <Text c="dimmed">Open the link in the email that we sent you.</Text>
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
  const confirm = useSignInMutation((password: string) =>
    unwrap(api.POST('/api/accounts/confirm', { body: { token, password } })),
  )
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const password = String(new FormData(event.currentTarget).get('password'))
    confirm.mutate(password, { onSuccess: () => go(storedInvitation() ? '/join' : '/catalogue') })
  }
  return (
    <form onSubmit={send}>
      <Title order={1} mb="sm">
        Verify your email
      </Title>
      <Text c="dimmed" mb="lg">
        Enter the password that you chose when you created your account.
      </Text>
      <Failed error={confirm.error} />
      <PasswordInput name="password" label="Password" autoComplete="current-password" required mb="lg" />
      <Button type="submit" fullWidth loading={confirm.isPending}>
        Verify and sign in
      </Button>
    </form>
  )
}

function Address({ token }: { token: string }) {
  const client = useQueryClient()
  const confirm = useMutation({
    mutationFn: () => unwrap(api.POST('/api/email/confirm', { body: { token } })),
    onSuccess: () => client.invalidateQueries({ queryKey: me.queryKey }),
  })
  if (confirm.data)
    return (
      <>
        <Title order={1} mb="sm">
          Email verified
        </Title>
        <Text c="dimmed" mb="lg" role="status">
          {confirm.data.email} is verified.
        </Text>
        <Button component={Link} to="/catalogue" fullWidth>
          Go to the catalogue
        </Button>
      </>
    )
  return (
    <>
      <Title order={1} mb="sm">
        {' '}
        Verify your email{' '}
      </Title>
      <Text c="dimmed" mb="lg">
        This confirms that the email address of your account belongs to you.
      </Text>
      <Failed error={confirm.error} />
      <Button fullWidth loading={confirm.isPending} onClick={() => confirm.mutate()}>
        Verify email
      </Button>
    </>
  )
}
