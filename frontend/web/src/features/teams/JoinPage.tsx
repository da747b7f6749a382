import { Anchor, Button, Container, Paper, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { ApiError, api, type Schemas, unwrap } from '@/api/client'
import { me, useSignInMutation } from '@/api/queries'
import { teamInvitation as invitationQuery } from '@/api/teams'
import { formatDate } from '@/shared/format/dates'
import { useTitle } from '@/shared/hooks/useTitle'
import { isMember } from '@/shared/pages/MembersOnly'
import { ErrorMessage, Loaded } from '@/shared/ui/QueryStates'
import { ROLES } from './roles'
import { dropInvitation, storedInvitation, storeInvitation } from './storedInvitation'

type Offer = Schemas['TeamOffer']
type Account = Schemas['AccountView']

/** The page of a team's invitation link. A visitor without an account returns here after signing up. */
export function Component() {
  const token = useLocation().hash.slice(1) || storedInvitation()
  useTitle('Join a team')
  return (
    <Container size={460} py={{ base: 40, sm: 72 }}>
      {token ? (
        <Invited key={token} token={token} />
      ) : (
        <>
          <Title order={1} mb="sm">
            No invitation
          </Title>
          <Text c="dimmed">Open the invitation link that you received.</Text>
        </>
      )}
    </Container>
  )
}

function Invited({ token }: { token: string }) {
  const query = useQuery(invitationQuery(token))
  const account = useQuery(me)
  const over = query.error instanceof ApiError && query.error.code === 'bad_invitation'
  useEffect(() => {
    if (over) dropInvitation()
    else storeInvitation(token)
  }, [token, over])
  if (over)
    return (
      <>
        <Title order={1} mb="sm">
          This link is not valid
        </Title>
        <Text c="dimmed" mb="lg">
          {query.error?.message}
        </Text>
        {isMember(account.data ?? null) && (
          <Anchor component={Link} to="/teams">
            Your teams
          </Anchor>
        )}
      </>
    )
  return (
    <Loaded page query={query}>
      {offer => (
        <>
          <Title order={1} mb="sm" style={{ overflowWrap: 'anywhere' }}>
            Join “{offer.team}”
          </Title>
          <Text mb="lg" lh={1.6}>
            You are invited as {article(offer.role)} <strong>{offer.role}</strong>.{' '}
            {ROLES.find(each => each.value === offer.role)?.may} The other members can see the name and the
            email address of your account.
          </Text>
          <Loaded query={account}>
            {who =>
              isMember(who) ? (
                <Accept token={token} offer={offer} account={who} />
              ) : (
                <Enter offer={offer} guest={who !== null} />
              )
            }
          </Loaded>
        </>
      )}
    </Loaded>
  )
}

const article = (role: string) => (role === 'reviewer' ? 'a' : 'an')

function Accept({ token, offer, account }: { token: string; offer: Offer; account: Account }) {
  const go = useNavigate()
  const client = useQueryClient()
  const join = useMutation({
    mutationFn: () => unwrap(api.POST('/api/team-invitations/accept', { body: { token } })),
    onSuccess: async team => {
      dropInvitation()
      client.setQueryData(['team', team.id], team)
      await client.invalidateQueries({ queryKey: ['teams'] })
      go(`/teams/${team.id}`)
    },
  })
  const other = useSignInMutation(async () => {
    await unwrap(api.DELETE('/api/session'))
    return null
  })
  const refused = join.error ?? other.error
  const inside = join.error instanceof ApiError && join.error.code === 'already_member'
  return (
    <Stack gap="md">
      <Paper p="md" radius="md">
        <Text size="sm" c="dimmed">
          You are signed in as
        </Text>
        <Text fw={500}>{account.name}</Text>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {account.email}
        </Text>
        {offer.email !== account.email && (
          <Text size="sm" c="dimmed" mt="xs">
            The invitation was sent to {offer.email}. You can still join with this account.
          </Text>
        )}
      </Paper>
      {refused && <ErrorMessage error={refused} />}
      {inside ? (
        <Button component={Link} to="/teams" onClick={dropInvitation}>
          Go to your teams
        </Button>
      ) : (
        <Button loading={join.isPending} onClick={() => join.mutate()}>
          {' '}
          Join team{' '}
        </Button>
      )}
      <Button variant="subtle" color="gray" loading={other.isPending} onClick={() => other.mutate(undefined)}>
        Use another account
      </Button>
    </Stack>
  )
}

/** This browser keeps the invitation until there is an account. */
function Enter({ offer, guest }: { offer: Offer; guest: boolean }) {
  const state = { email: offer.email }
  return (
    <Stack gap="md">
      <Button component={Link} to="/sign-in?new=1&then=/join" state={state}>
        Create account
      </Button>
      <Button component={Link} to="/sign-in?then=/join" state={state} variant="default">
        Sign in
      </Button>
      <Text size="sm" c="dimmed">
        {guest && 'Your work as a guest is kept. '}
        You return to this page afterwards. The invitation is valid until {formatDate(offer.expires_at)}.
      </Text>
    </Stack>
  )
}
