import { Alert, Anchor, Button, Container, PasswordInput, Text, TextInput, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { ApiError, api, unwrap } from '@/api/client'
import { useSignedIn } from '@/api/queries'
import { useTitle } from '@/shared/hooks/useTitle'

/** Creates the first administrator. Requires the set-up token from the console. */
export function Component() {
  useTitle('Set up this site')
  const [given, setGiven] = useState(useLocation().hash.slice(1))
  const signed = useSignedIn()
  const setUp = useMutation({
    mutationFn: (form: FormData) => {
      const of = (name: string) => String(form.get(name) ?? '')
      const body = {
        token: of('token').trim(),
        email: of('email'),
        name: of('name'),
        password: of('password'),
      }
      return unwrap(api.POST('/api/setup', { body }))
    },
    onSuccess: signed,
  })
  if (setUp.data)
    return (
      <Container size={420} py={{ base: 40, sm: 72 }}>
        <Title order={1} mb="sm">
          Setup is complete
        </Title>
        <Text mb="lg">You are signed in as {setUp.data.name}, the first admin of this site.</Text>
        <Button component={Link} to="/admin" fullWidth>
          Open the admin pages
        </Button>
      </Container>
    )
  const refused = setUp.error instanceof ApiError ? setUp.error : null
  const fields = ['token', 'email', 'name', 'password'] as const
  const told_ = refused && fields.some(field => refused.messageFor(field)) ? null : setUp.error
  return (
    <Container size={420} py={{ base: 40, sm: 72 }}>
      <Title order={1} mb="sm">
        Set up this site
      </Title>
      <Text c="dimmed" mb="lg">
        Create the first admin. The server prints the setup token to its console. The token can be used once.
        Each time the server starts, it prints a new one.
      </Text>
      <form
        onSubmit={(event: FormEvent<HTMLFormElement>) => {
          event.preventDefault()
          setUp.mutate(new FormData(event.currentTarget))
        }}
      >
        <TextInput
          name="token"
          label="Setup token"
          autoComplete="off"
          value={given}
          onChange={event => setGiven(event.currentTarget.value)}
          error={refused?.messageFor('token')}
          required
          mb="md"
        />
        <TextInput
          name="email"
          type="email"
          label="Email"
          autoComplete="email"
          error={refused?.messageFor('email')}
          required
          mb="md"
        />
        <TextInput
          name="name"
          label="Name"
          autoComplete="name"
          error={refused?.messageFor('name')}
          maxLength={80}
          required
          mb="md"
        />
        <PasswordInput
          name="password"
          label="Password"
          description="At least 10 characters"
          autoComplete="new-password"
          error={refused?.messageFor('password')}
          required
          mb="lg"
        />
        {told_ && (
          <Alert color="red" variant="light" mb="md" role="alert">
            {told_.message}
          </Alert>
        )}
        <Button type="submit" fullWidth loading={setUp.isPending}>
          Create the first admin
        </Button>
      </form>
      <Anchor component={Link} to="/sign-in" size="sm" display="block" mt="md" ta="center">
        Already set up? Sign in
      </Anchor>
    </Container>
  )
}
