import { Container, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { submissions, useMe } from '@/api/queries'
import { useTitle } from '@/shared/hooks/useTitle'
import { Loaded } from '@/shared/ui/QueryStates'
import { SubmissionTable } from './SubmissionTable'

export function Component() {
  useTitle('My submissions')
  const account = useMe()
  const query = useQuery(submissions('', account !== null))
  return (
    <Container size="md" py="xl">
      <Title order={1} mb="lg">
        My submissions
      </Title>
      {account ? (
        <Loaded query={query}>
          {items =>
            items.length === 0 ? (
              <Text c="dimmed">
                No submissions yet. <Link to="/catalogue">Choose a challenge</Link>.
              </Text>
            ) : (
              <SubmissionTable items={items} named />
            )
          }
        </Loaded>
      ) : (
        <Text c="dimmed">
          <Link to="/sign-in?then=/submissions">Sign in</Link> to see your submissions.
        </Text>
      )}
    </Container>
  )
}
