import { Alert, Anchor, Button, Container, PasswordInput, Text, TextInput, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { Link, useLocation } from 'react-router'
import { ApiError, api, unwrap } from '@/api/client'
import { useSignedIn } from '@/api/queries'
import { useTitle } from '@/shared/hooks/useTitle'
import { MailSent } from './MailSent'

/** Resets the password: requests the email or, with the link from it, sets the new password. */
export function Component() {
  const token = useLocation().hash.slice(1)
  useTitle('New password')
  return (
    <Container size={420} py={{ base: 40, sm: 72 }}>
      <Title order={1} mb="sm">
        {token ? 'Choose a new password' : 'Forgot your password?'}
      </Title>
      {token ? <Choose key={token} token={token} /> : <Ask />}
    </Container>
  )
}

const of = (event: FormEvent<HTMLFormElement>, name: string) => {
  event.preventDefault()
  return String(new FormData(event.currentTarget).get(name))
}

function Ask() {
  const ask = useMutation({
    mutationFn: (email: string) => unwrap(api.POST('/api/password/forgotten', { body: { email } })),
  })
  if (ask.data)
    return (
      <MailSent sent={ask.data}>
        If there is an account for {ask.data.email}, we sent an email to that address. The link in it can be
        used once and expires in one hour.
      </MailSent>
    )
  return (
    <form onSubmit={event => ask.mutate(of(event, 'email'))}>
      <Text c="dimmed" mb="lg">
        Enter the email address of your account. We will send you a link.
      </Text>
      <TextInput
        name="email"
        type="email"
        label="Email"
        autoComplete="email"
        required
        mb="lg"
        error={ask.error?.message}
      />
      <Button type="submit" fullWidth loading={ask.isPending}>
        Send email
      </Button>
      <Anchor component={Link} to="/sign-in" size="sm" display="block" mt="md" ta="center">
        Back to sign-in
      </Anchor>
    </form>
  )
}

function Choose({ token }: { token: string }) {
  const signed = useSignedIn()
  const choose = useMutation({
    mutationFn: (password: string) => unwrap(api.POST('/api/password/reset', { body: { token, password } })),
    onSuccess: () => signed(null),
  })
  if (choose.isSuccess)
    return (
      <>
        <Alert variant="light" color="green" my="lg" role="status">
          Your password was changed. You were signed out everywhere, and your API tokens were revoked.
        </Alert>
        <Button component={Link} to="/sign-in" fullWidth>
          Sign in
        </Button>
      </>
    )
  const refusal = choose.error instanceof ApiError ? choose.error : null
  return (
    <form onSubmit={event => choose.mutate(of(event, 'password'))}>
      <Text c="dimmed" mb="lg">
        This signs you out everywhere and revokes your API tokens.
      </Text>
      {choose.error && !refusal?.fields.length && (
        <Alert color="red" variant="light" mb="md" role="alert">
          {choose.error.message}{' '}
          {refusal?.code === 'bad_link' && (
            <Anchor component={Link} to="/reset" size="sm" underline="always">
              Request another email
            </Anchor>
          )}
        </Alert>
      )}
      <PasswordInput
        name="password"
        label="New password"
        description="At least 10 characters"
        autoComplete="new-password"
        minLength={10}
        required
        mb="lg"
        error={refusal?.messageFor('password')}
      />
      <Button type="submit" fullWidth loading={choose.isPending}>
        {' '}
        Change password{' '}
      </Button>
    </form>
  )
}
