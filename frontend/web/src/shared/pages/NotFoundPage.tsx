import { Button, Container, Group, Text, Title } from '@mantine/core'
import { Link } from 'react-router'
import { useTitle } from '../hooks/useTitle'

export function Component() {
  useTitle('Page not found')
  return (
    <Container size="sm" py={96}>
      <Title order={1}>Page not found</Title>
      <Text my="md" c="dimmed">
        It may have been renamed. The catalogue lists all challenges and topics, and the search finds parts of
        names, for example “attention” or “mat1 and mat2”.
      </Text>
      <Group gap="sm">
        <Button component={Link} to="/catalogue">
          Browse challenges
        </Button>
        <Button component={Link} to="/catalogue?view=topics" variant="default">
          Browse topics
        </Button>
        <Button component={Link} to="/search" variant="default">
          Search
        </Button>
      </Group>
    </Container>
  )
}
