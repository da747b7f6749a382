import { Anchor, Container, Text, Title } from '@mantine/core'
import { Link } from 'react-router'
import { useMe } from '@/api/queries'
import { useTitle } from '@/shared/hooks/useTitle'
import { MyReportList } from './MyReportList'

export function Component() {
  useTitle('My reports')
  const account = useMe()
  const member = account && account.role !== 'guest'
  return (
    <Container size="md" py="xl">
      <Title order={1}>My reports</Title>
      <Text c="dimmed" mt={4} mb="lg">
        Errors that you reported and questions that you suggested, with our answers.{' '}
        {member && (
          <Anchor component={Link} to="/suggest">
            Suggest a question
          </Anchor>
        )}
      </Text>
      {account?.role === 'guest' && (
        <Text mb="lg">
          You are a guest, so you can see these reports only in this browser.{' '}
          <Anchor component={Link} to="/sign-in?new=1&then=/my-reports">
            Create an account
          </Anchor>{' '}
          to keep them.
        </Text>
      )}
      {account ? (
        <MyReportList />
      ) : (
        <Text>
          <Anchor component={Link} to="/sign-in?then=/my-reports">
            Sign in
          </Anchor>{' '}
          to see your reports.
        </Text>
      )}
    </Container>
  )
}
