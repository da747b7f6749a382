import { Button, Container, Text, Title } from '@mantine/core'
import { Link } from 'react-router'
import { useTitle } from '../parts/title'

export function Component() {
  useTitle('Nothing here')
  return (
    <Container size="sm" py={96}>
      <Title order={1}>Nothing at this address</Title>
      <Text my="md" c="dimmed">
        It may have been renamed. Everything that there is stands in the catalogue.
      </Text>
      <Button component={Link} to="/catalogue">
        Open the catalogue
      </Button>
    </Container>
  )
}
