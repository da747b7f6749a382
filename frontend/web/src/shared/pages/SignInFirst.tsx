import { Container, Text, Title } from '@mantine/core'
import { Link, useLocation } from 'react-router'
import { useTitle } from '../hooks/useTitle'

/** Shown on personal pages to visitors without an account. */
export function SignInFirst({ title }: { title: string }) {
  const { pathname, search, hash } = useLocation()
  const then = encodeURIComponent(pathname + search + hash)
  useTitle(title)
  return (
    <Container size="sm" py="xl">
      <Title order={1}>{title}</Title>
      <Text mt="md">
        <Link to={`/sign-in?then=${then}`}>Sign in</Link> first, or{' '}
        <Link to={`/sign-in?new=1&then=${then}`}>create an account</Link> with an email address and a
        password.
      </Text>
    </Container>
  )
}
