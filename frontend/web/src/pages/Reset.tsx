import { Alert, Anchor, Button, Container, PasswordInput, Text, TextInput, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { Link, useLocation } from 'react-router'
import { OnItsWay } from '../account/Letter'
import { api, Refusal, told } from '../api/client'
import { useSigned } from '../api/queries'
import { useTitle } from '../parts/title'

/** A new password: ask for the letter, or, with the letter's link, choose it. */
export function Component() {
  const token = useLocation().hash.slice(1)
  useTitle('New password')
  return (
    <Container size={420} py={{ base: 40, sm: 72 }}>
      <Title order={1} mb="sm">
        {token ? 'Choose a new password' : 'Forgot the password?'}
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
    mutationFn: (email: string) => told(api.POST('/api/password/forgotten', { body: { email } })),
  })
  if (ask.data)
    return (
      <OnItsWay sent={ask.data}>
        If {ask.data.email} has an account here, a letter is on its way there. Its link works once, for an
        hour.
      </OnItsWay>
    )
  return (
    <form onSubmit={event => ask.mutate(of(event, 'email'))}>
      <Text c="dimmed" mb="lg">
        Tell the address of your account. A letter with a link goes there.
      </Text>
      <TextInput
        name="email"
        type="email"
        label="E-mail"
        autoComplete="email"
        required
        mb="lg"
        error={ask.error?.message}
      />
      <Button type="submit" fullWidth loading={ask.isPending}>
        Send the letter
      </Button>
      <Anchor component={Link} to="/sign-in" size="sm" display="block" mt="md" ta="center">
        Back to signing in
      </Anchor>
    </form>
  )
}

function Choose({ token }: { token: string }) {
  const signed = useSigned()
  const choose = useMutation({
    mutationFn: (password: string) => told(api.POST('/api/password/reset', { body: { token, password } })),
    onSuccess: () => signed(null),
  })
  if (choose.isSuccess)
    return (
      <>
        <Alert variant="light" color="green" my="lg" role="status">
          Your password is changed. Every session and API token has ended.
        </Alert>
        <Button component={Link} to="/sign-in" fullWidth>
          Sign in
        </Button>
      </>
    )
  const refusal = choose.error instanceof Refusal ? choose.error : null
  return (
    <form onSubmit={event => choose.mutate(of(event, 'password'))}>
      <Text c="dimmed" mb="lg">
        Every session and API token of your account ends with it.
      </Text>
      {choose.error && !refusal?.fields.length && (
        <Alert color="red" variant="light" mb="md" role="alert">
          {choose.error.message}{' '}
          {refusal?.code === 'bad_link' && (
            <Anchor component={Link} to="/reset" size="sm" underline="always">
              Ask for another letter
            </Anchor>
          )}
        </Alert>
      )}
      <PasswordInput
        name="password"
        label="New password"
        description="Ten characters at least"
        autoComplete="new-password"
        minLength={10}
        required
        mb="lg"
        error={refusal?.of('password')}
      />
      <Button type="submit" fullWidth loading={choose.isPending}>
        Change the password
      </Button>
    </form>
  )
}
