import { Container, Text, Title } from '@mantine/core'
import { Link, useLocation } from 'react-router'
import { useMe } from '@/api/queries'
import { useTitle } from '../hooks/useTitle'

/** Shown on personal pages to visitors and guests. */
export function SignInFirst({ title }: { title: string }) {
  const { pathname, search, hash } = useLocation()
  const then = encodeURIComponent(pathname + search + hash)
  const guest = useMe() !== null
  useTitle(title)
  return (
    <Container size="sm" py="xl">
      <Title order={1}>{title}</Title>
      {guest && (
        <Text mt="md">
          You are a guest. Your work is linked to this browser, and is deleted if you do not return for some
          weeks. An account keeps it.
        </Text>
      )}
      <Text mt="md">
        <Link to={`/sign-in?then=${then}`}>Sign in</Link> first, or{' '}
        <Link to={`/sign-in?new=1&then=${then}`}>create an account</Link> with an email address and a
        password.
      </Text>
    </Container>
  )
}
