import { Anchor, Container, Text, Title } from '@mantine/core'
import { Link } from 'react-router'
import { useMe } from '../api/queries'
import { useTitle } from '../parts/title'
import { MineList } from '../reports/MineList'

export function Component() {
  useTitle('My reports')
  const account = useMe()
  const member = account && account.role !== 'guest'
  return (
    <Container size="md" py="xl">
      <Title order={1}>My reports</Title>
      <Text c="dimmed" mt={4} mb="lg">
        Errors that you reported and questions that you suggested, with what became of them.{' '}
        {member && (
          <Anchor component={Link} to="/suggest">
            Suggest a question
          </Anchor>
        )}
      </Text>
      {account?.role === 'guest' && (
        <Text mb="lg">
          You are here as a guest: these can be read in this browser only.{' '}
          <Anchor component={Link} to="/sign-in?new=1&then=/my-reports">
            Sign up
          </Anchor>{' '}
          to keep them.
        </Text>
      )}
      {account ? (
        <MineList />
      ) : (
        <Text>
          <Anchor component={Link} to="/sign-in?then=/my-reports">
            Sign in
          </Anchor>{' '}
          to see them.
        </Text>
      )}
    </Container>
  )
}
