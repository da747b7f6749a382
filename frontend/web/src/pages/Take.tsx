import { Anchor, Container, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import { invitation, is, participation } from '../api/taking'
import { Loaded } from '../parts/States'
import { useTitle } from '../parts/title'
import { Calm, Quiet } from '../taking/Quiet'
import { Running } from '../taking/Running'
import { Start } from '../taking/Start'

/** The link of an invitation: what one is told before the time runs, and the beginning. */
export function Component() {
  const { token = '' } = useParams()
  const query = useQuery(invitation(token))
  useTitle(query.data?.assessment ?? 'Assessment')
  if (is(query.error, 'invitation_over')) return <Over message={query.error?.message ?? ''} />
  if (is(query.error, 'invitation_not_found'))
    return (
      <Calm title="This link opens nothing">
        <Text>
          It was mistyped, or a newer one took its place. Look for the newest letter, or ask the team that
          invited you.
        </Text>
      </Calm>
    )
  const found = query.data
  if (found?.running) return <Running token={token} found={found} />
  if (found) return <Start token={token} found={found} again={query.refetch} />
  return (
    <Quiet name="Gradus">
      <Container size="sm" py="xl">
        <Loaded page query={query}>
          {() => null}
        </Loaded>
      </Container>
    </Quiet>
  )
}

/** Taken, taken back, expired or closed: the service says which. */
function Over({ message }: { message: string }) {
  const taken = useQuery({ ...participation, retry: false }).data
  return (
    <Calm title="There is nothing to start">
      <Text>{message}</Text>
      {taken && (
        <Text mt="md">
          In this browser you took «{taken.assessment}».{' '}
          <Anchor component={Link} to="/participation">
            See what you handed in
          </Anchor>
          .
        </Text>
      )}
    </Calm>
  )
}
