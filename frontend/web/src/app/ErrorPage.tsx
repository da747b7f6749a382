import { Button, Container, Group, Text, Title } from '@mantine/core'
import { useEffect } from 'react'
import { useRouteError } from 'react-router'
import { probe, useConnection } from '@/api/connection'
import { NotFoundPage } from '@/features/search'
import { useTitle } from '@/shared/hooks/useTitle'
import { SignInFirst } from '@/shared/pages/SignInFirst'
import { replacesPage } from '@/shared/ui/QueryStates'
import { isStaleChunk, reloadAfterUpgrade } from './reloadAfterUpgrade'

const FAULT = {
  title: 'Something went wrong on this page',
  description: 'The error is on our side. Your work is saved in this browser. Reload the page to try again.',
}
const OLD = {
  title: 'This page could not be loaded',
  description:
    'A newer version of this site is available. Reload the page to use it. Your work is saved in this browser.',
}
const AWAY = {
  title: 'This page could not be loaded',
  description:
    'The connection was lost. Your work is saved in this browser, and the page loads when you are back online.',
}

/** The error boundary of a page, inside the site's header. */
export function Failed() {
  const error = useRouteError()
  if (!replacesPage(error)) return <Fault error={error} />
  if (error.status === 401) return <SignInFirst title="Sign in" />
  if (error.code === 'needs_gpu_node')
    return <NotFoundPage title="This challenge needs a GPU" why={error.message} />
  return error.status === 404 ? <NotFoundPage why={error.message} /> : <NotFoundPage />
}

/** If a page's code failed to load, reloads the page: at once after an upgrade, otherwise as soon as the connection is back. */
function Fault({ error }: { error: unknown }) {
  const connection = useConnection()
  const old = isStaleChunk(error)
  const { title, description } = !old ? FAULT : connection === 'fine' ? OLD : AWAY
  useTitle(title)
  useEffect(() => {
    // A failed import does not say whether the connection is down, so probe until the service answers.
    if (old) probe()
  }, [old])
  useEffect(() => {
    if (old && connection === 'fine') reloadAfterUpgrade()
  }, [old, connection])
  return (
    <Container size="sm" py={96}>
      <Title order={1}>{title}</Title>
      <Text my="md">{description}</Text>
      {!old && (
        <Text c="dimmed" size="sm" mb="md" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
          {error instanceof Error ? error.message : 'No further details are available.'}
        </Text>
      )}
      <Group>
        <Button onClick={() => window.location.reload()}>Reload</Button>
        <Button variant="default" component="a" href="/">
          Go to the home page
        </Button>
      </Group>
    </Container>
  )
}

/** The same error page for errors outside any layout. */
export function FailedWhole() {
  return (
    <main id="main" tabIndex={-1}>
      <Failed />
    </main>
  )
}
