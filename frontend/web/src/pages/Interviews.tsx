import { Alert, Button, Container, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { interviews } from '../api/interviews'
import { useMe } from '../api/queries'
import { Choices } from '../interview/Choices'
import { Earlier } from '../interview/Earlier'
import { useTitle } from '../parts/title'

export function Component() {
  useTitle('Mock interview')
  const all = useQuery(interviews(useMe() !== null)).data ?? []
  const running = all.find(each => each.ended_at === null)
  const ended = all.filter(each => each.ended_at)
  return (
    <Container size="sm" py="xl">
      <Title order={1}>Mock interview</Title>
      <Text mt="sm" mb="xl" size="lg">
        A few questions, then one or two challenges, drawn for you and timed. What you have not solved lately
        comes first. At the end there is a report, and what to revise.
      </Text>
      {running ? (
        <Alert color="marigold" variant="light" title="An interview of yours is running">
          <Button component={Link} to={`/interview/${running.id}`} mt="xs">
            Go on
          </Button>
        </Alert>
      ) : (
        <Choices />
      )}
      {ended.length > 0 && (
        <>
          <Title order={2} fz="1.3rem" mt="2.5rem" mb="sm">
            Your interviews
          </Title>
          <Earlier items={ended} />
        </>
      )}
    </Container>
  )
}
