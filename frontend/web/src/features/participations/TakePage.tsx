import { Anchor, Container, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import { useTitle } from '@/shared/hooks/useTitle'
import { Loaded } from '@/shared/ui/QueryStates'
import { CandidateFrame, CandidateMessage } from './CandidateFrame'
import { hasErrorCode, invitation, participation } from './requests'
import { AlreadyStarted } from './start/AlreadyStarted'
import { Start } from './start/StartPage'

/** The page of an invitation link: what the candidate reads before the start, and the start button. */
export function Component() {
  const { token = '' } = useParams()
  const query = useQuery(invitation(token))
  useTitle(query.data?.assessment ?? 'Assessment')
  if (hasErrorCode(query.error, 'invitation_over')) return <Over message={query.error?.message ?? ''} />
  if (hasErrorCode(query.error, 'invitation_not_found'))
    return (
      <CandidateMessage title="This link is not valid">
        <Text>
          It may be mistyped, or a newer link replaced it. Use the link in the latest email, or ask the team
          that invited you.
        </Text>
      </CandidateMessage>
    )
  const found = query.data
  if (found?.running) return <AlreadyStarted token={token} found={found} />
  if (found) return <Start token={token} found={found} again={query.refetch} />
  return (
    <CandidateFrame name="Gradus">
      <Container size="sm" py="xl">
        <Loaded page query={query}>
          {() => null}
        </Loaded>
      </Container>
    </CandidateFrame>
  )
}

/** The link was used, revoked or has expired, or the assessment is closed; the service's message says which. */
function Over({ message }: { message: string }) {
  const taken = useQuery({ ...participation, retry: false }).data
  return (
    <CandidateMessage title="You cannot start this assessment">
      <Text>{message}</Text>
      {taken && (
        <Text mt="md">
          You took “{taken.assessment}” in this browser.{' '}
          <Anchor component={Link} to="/participation">
            Show your answers
          </Anchor>
          .
        </Text>
      )}
    </CandidateMessage>
  )
}
