import { Container, Text, Title } from '@mantine/core'
import { Link, useLocation } from 'react-router'

/** For who has no account yet: these pages belong to somebody. */
export function SignInFirst({ title }: { title: string }) {
  const { pathname, hash } = useLocation()
  return (
    <Container size="sm" py="xl">
      <Title order={1}>{title}</Title>
      <Text mt="md">
        <Link to={`/sign-in?then=${encodeURIComponent(pathname + hash)}`}>Sign in</Link> first.
      </Text>
    </Container>
  )
}
