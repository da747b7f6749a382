import { Button, NativeSelect, Text, TextInput } from '@mantine/core'
import type { FormEvent } from 'react'
import { at } from '../account/Form'
import { Row } from '../account/Section'
import { day } from '../account/when'
import { api, Refusal, type Schemas, told } from '../api/client'
import { useTeamDeed, useTeamPages } from '../api/teams'
import { Sure } from '../desk/Parts'
import { Pages } from '../parts/Pages'
import { Chip } from './Chip'
import css from './Invitations.module.css'
import { LinkOnce } from './LinkOnce'
import type { Team } from './TeamFrame'
import { ROLES, type Role } from './words'

type Invitation = Schemas['TeamInvitationView']
type Sent = Schemas['SentTeamInvitation']

/** Inviting people to the team, and what became of those who were. For owners. */
export function Invitations({ team }: { team: Team }) {
  const query = useTeamPages(team.id, ['invitations'], cursor =>
    told(
      api.GET('/api/teams/{team_id}/invitations', {
        params: { path: { team_id: team.id }, query: { cursor } },
      }),
    ),
  )
  const none = query.data?.pages[0]?.items.length === 0
  return (
    <>
      <Row
        label="Invite somebody"
        hint="A letter with a link goes out. The link works once, for two weeks, with any account."
      >
        <Inviting team={team} />
      </Row>
      {!none && (
        <Pages query={query} empty="">
          {items => items.map(each => <One key={each.id} team={team} invitation={each} />)}
        </Pages>
      )}
    </>
  )
}

function Inviting({ team }: { team: Team }) {
  const invite = useTeamDeed(team.id, (body: { email: string; role: Role }) =>
    told(api.POST('/api/teams/{team_id}/invitations', { params: { path: { team_id: team.id } }, body })),
  )
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const given = new FormData(form)
    invite.mutate(
      { email: String(given.get('email')), role: given.get('role') as Role },
      { onSuccess: () => form.reset() },
    )
  }
  const named = invite.error instanceof Refusal && invite.error.fields.length > 0
  return (
    <>
      <form onSubmit={send} className={css.form}>
        <TextInput
          name="email"
          type="email"
          label="E-mail"
          autoComplete="off"
          required
          error={named ? at(invite.error, 'email') : invite.error?.message}
        />
        <NativeSelect
          name="role"
          label="Role"
          data={ROLES.map(({ value, label }) => ({ value, label }))}
          defaultValue="reviewer"
        />
        <Button type="submit" variant="default" loading={invite.isPending}>
          Invite
        </Button>
      </form>
      <dl className={css.roles}>
        {ROLES.map(({ value, label, may }) => (
          <div key={value}>
            <dt>{label}</dt> <dd>{may}</dd>
          </div>
        ))}
      </dl>
      {invite.data && <OnItsWay sent={invite.data} />}
    </>
  )
}

function OnItsWay({ sent }: { sent: Sent }) {
  return (
    <LinkOnce link={sent.link}>
      {sent.by === 'email'
        ? `A letter is on its way to ${sent.email}. If you would rather hand the invitation over yourself:`
        : `This site sends no e-mail. Hand this link to ${sent.email}:`}
    </LinkOnce>
  )
}

const TONES = { open: 'new', accepted: 'good', expired: undefined, revoked: undefined } as const
const WORDS = { open: 'Open', accepted: 'Joined', expired: 'Expired', revoked: 'Taken back' }

function One({ team, invitation }: { team: Team; invitation: Invitation }) {
  const path = { team_id: team.id, invitation_id: invitation.id }
  const again = useTeamDeed(team.id, () =>
    told(api.POST('/api/teams/{team_id}/invitations/{invitation_id}/resend', { params: { path } })),
  )
  const revoke = useTeamDeed(team.id, () =>
    told(api.DELETE('/api/teams/{team_id}/invitations/{invitation_id}', { params: { path } })),
  )
  const { state } = invitation
  return (
    <Row
      label={
        <>
          {invitation.email}
          <Chip tone={TONES[state]}>{WORDS[state]}</Chip>
        </>
      }
      hint={hint(invitation)}
      action={
        (state === 'open' || state === 'expired') && (
          <>
            <Button
              size="xs"
              variant="default"
              loading={again.isPending}
              onClick={() => again.mutate(undefined)}
            >
              Send again
            </Button>
            {state === 'open' && (
              <Sure
                label="Take back"
                title="Take the invitation back"
                act={() => revoke.mutateAsync(undefined)}
                grave
              >
                <Text size="sm">
                  The links that {invitation.email} got open nothing any more. You may invite them anew.
                </Text>
              </Sure>
            )}
          </>
        )
      }
    >
      {again.error ? (
        <Text size="sm" c="var(--g-bad)" role="alert">
          {again.error.message}
        </Text>
      ) : (
        again.data && state === 'open' && <OnItsWay sent={again.data} />
      )}
    </Row>
  )
}

function hint({ role, state, invited_by, accepted_by, created_at, expires_at }: Invitation): string {
  const as = `As ${role}, invited ${invited_by ? `by ${invited_by} ` : ''}on ${day(created_at)}`
  if (state === 'accepted') return `${as}; joined as ${accepted_by ?? 'an account that is gone'}`
  if (state === 'open') return `${as}; works until ${day(expires_at)}`
  return as
}
