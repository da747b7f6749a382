import { Button, Container, Text, Title } from '@mantine/core'
import { useRouteError } from 'react-router'

/** Whatever broke in a page ends here, with a way out. */
export function Failed() {
  const error = useRouteError()
  const message = error instanceof Error ? error.message : 'Something broke in this page.'
  return (
    <Container size="sm" py={96}>
      <Title order={1}>This page broke</Title>
      <Text my="md">{message}</Text>
      <Button onClick={() => window.location.reload()}>Load it again</Button>
    </Container>
  )
}
