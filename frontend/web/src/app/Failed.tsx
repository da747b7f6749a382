import { Button, Container, Group, Text, Title } from '@mantine/core'
import { useEffect } from 'react'
import { useRouteError } from 'react-router'
import { useTitle } from '../parts/title'
import { isOldCode, reloadOnce } from './upgrade'

/** Whatever broke in a page ends here, with a way out. A page of an older version is loaded anew by itself, once. */
export function Failed() {
  const error = useRouteError()
  const old = isOldCode(error)
  useTitle(old ? 'A newer version' : 'This page broke')
  useEffect(() => {
    if (old) reloadOnce()
  }, [old])
  return (
    <Container size="sm" py={96} component="main">
      <Title order={1}>{old ? 'This page could not be loaded' : 'This page broke'}</Title>
      <Text my="md">
        {old
          ? 'There is a newer version of this site, or the connection was lost. What you wrote is kept in this browser.'
          : 'That is our fault. What you wrote is kept in this browser; loading the page again often helps.'}
      </Text>
      {!old && (
        <Text c="dimmed" size="sm" mb="md" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
          {error instanceof Error ? error.message : 'Nothing more is known.'}
        </Text>
      )}
      <Group>
        <Button onClick={() => window.location.reload()}>Load it again</Button>
        <Button variant="default" component="a" href="/">
          Home
        </Button>
      </Group>
    </Container>
  )
}
