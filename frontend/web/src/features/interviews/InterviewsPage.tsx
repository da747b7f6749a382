import { Alert, Button, Container, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { useMe } from '@/api/queries'
import { useTitle } from '@/shared/hooks/useTitle'
import { ExampleReport } from './ExampleReport'
import { NewInterview } from './NewInterview'
import { PastInterviews } from './PastInterviews'
import { interviews } from './requests'

export function Component() {
  useTitle('Mock interview')
  const signedIn = useMe() !== null
  const query = useQuery(interviews(signedIn))
  const all = query.data ?? []
  const running = all.find(each => each.ended_at === null)
  const ended = all.filter(each => each.ended_at)
  return (
    <Container size="sm" py="xl">
      <Title order={1}>Mock interview</Title>
      <Text mt="sm" mb="xl" size="lg">
        A few questions, then one or two challenges, drawn at random and timed. Items that you have not solved
        recently come first. At the end, you get a report that says what to study.
      </Text>
      {running ? (
        <Alert color="marigold" variant="light" title="You have an interview in progress">
          <Button component={Link} to={`/interview/${running.id}`} mt="xs">
            Continue
          </Button>
        </Alert>
      ) : (
        <NewInterview />
      )}
      {all.length === 0 && !(signedIn && query.isPending) && <ExampleReport />}
      {ended.length > 0 && (
        <>
          <Title order={2} fz="1.3rem" mt="2.5rem" mb="sm">
            Your interviews
          </Title>
          <PastInterviews items={ended} />
        </>
      )}
    </Container>
  )
}
