import { Anchor, Button, Container, Paper, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { day } from '../account/when'
import { api, Refusal, type Schemas, told } from '../api/client'
import { me, useSigning } from '../api/queries'
import { offer as asked } from '../api/teams'
import { Broken, Loaded } from '../parts/States'
import { useTitle } from '../parts/title'
import { drop, keep, kept } from '../team/kept'
import { isMember } from '../team/MembersOnly'
import { ROLES } from '../team/words'

type Offer = Schemas['TeamOffer']
type Account = Schemas['AccountView']

/** Where the link of an invitation to a team leads. Who has no account yet comes back here with one. */
export function Component() {
  const token = useLocation().hash.slice(1) || kept()
  useTitle('Join a team')
  return (
    <Container size={460} py={{ base: 40, sm: 72 }}>
      {token ? (
        <Invited key={token} token={token} />
      ) : (
        <>
          <Title order={1} mb="sm">
            No invitation here
          </Title>
          <Text c="dimmed">
            Open the link in the letter that was sent to you, or that somebody gave you. It leads here.
          </Text>
        </>
      )}
    </Container>
  )
}

function Invited({ token }: { token: string }) {
  const query = useQuery(asked(token))
  const account = useQuery(me)
  const over = query.error instanceof Refusal && query.error.code === 'bad_invitation'
  useEffect(() => {
    if (over) drop()
    else keep(token)
  }, [token, over])
  if (over)
    return (
      <>
        <Title order={1} mb="sm">
          This link is over
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
            Join «{offer.team}»
          </Title>
          <Text mb="lg" lh={1.6}>
            You are invited as {article(offer.role)} <strong>{offer.role}</strong>, who{' '}
            {ROLES.find(each => each.value === offer.role)?.may}. The others see the name and the address of
            your account.
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
    mutationFn: () => told(api.POST('/api/team-invitations/accept', { body: { token } })),
    onSuccess: async team => {
      drop()
      client.setQueryData(['team', team.id], team)
      await client.invalidateQueries({ queryKey: ['teams'] })
      go(`/teams/${team.id}`)
    },
  })
  const other = useSigning(async () => {
    await told(api.DELETE('/api/session'))
    return null
  })
  const refused = join.error ?? other.error
  const inside = join.error instanceof Refusal && join.error.code === 'already_member'
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
            The invitation went to {offer.email}. You may join with this account all the same.
          </Text>
        )}
      </Paper>
      {refused && <Broken error={refused} />}
      {inside ? (
        <Button component={Link} to="/teams" onClick={drop}>
          Go to your teams
        </Button>
      ) : (
        <Button loading={join.isPending} onClick={() => join.mutate()}>
          Join the team
        </Button>
      )}
      <Button variant="subtle" color="gray" loading={other.isPending} onClick={() => other.mutate(undefined)}>
        Use another account
      </Button>
    </Stack>
  )
}

/** The invitation waits in this browser until there is an account. */
function Enter({ offer, guest }: { offer: Offer; guest: boolean }) {
  const state = { email: offer.email }
  return (
    <Stack gap="md">
      <Button component={Link} to="/sign-in?new=1&then=/join" state={state}>
        Make an account
      </Button>
      <Button component={Link} to="/sign-in?then=/join" state={state} variant="default">
        Sign in
      </Button>
      <Text size="sm" c="dimmed">
        {guest && 'What you did as a guest is kept. '}
        Either leads back here. The invitation works until {day(offer.expires_at)}.
      </Text>
    </Stack>
  )
}
