import { Button, Container, Text, Title } from '@mantine/core'
import { Link } from 'react-router'
import { useTitle } from '../hooks/useTitle'

export function Component() {
  useTitle('Page not found')
  return (
    <Container size="sm" py={96}>
      <Title order={1}>Page not found</Title>
      <Text my="md" c="dimmed">
        It may have been renamed. The catalogue lists all challenges and topics.
      </Text>
      <Button component={Link} to="/catalogue">
        Go to the catalogue
      </Button>
    </Container>
  )
}
