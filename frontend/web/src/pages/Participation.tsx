import { Container, Title } from '@mantine/core'

export function Component() {
  return (
    <Container size="sm" py="xl">
      <Title order={1}>Assessment</Title>
    </Container>
  )
}
