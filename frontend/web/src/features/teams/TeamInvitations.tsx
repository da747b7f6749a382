import { Button, NativeSelect, Text, TextInput } from '@mantine/core'
import type { FormEvent } from 'react'
import { ApiError, api, type Schemas, unwrap } from '@/api/client'
import { useTeamMutation, useTeamPages } from '@/api/teams'
import { formatDate } from '@/shared/format/dates'
import { ConfirmButton } from '@/shared/forms/ConfirmButton'
import { SecretLink } from '@/shared/forms/SecretLink'
import { Row } from '@/shared/forms/Section'
import { fieldError } from '@/shared/forms/SmallForm'
import { Chip } from '@/shared/ui/Chip'
import { PagedList } from '@/shared/ui/PagedList'
import { ROLES, type Role } from './roles'
import type { Team } from './TeamFrame'
import css from './TeamInvitations.module.css'

type Invitation = Schemas['TeamInvitationView']
type Sent = Schemas['SentTeamInvitation']

/** Invites people to the team and shows the state of each invitation. For owners. */
export function TeamInvitations({ team }: { team: Team }) {
  const query = useTeamPages(team.id, ['invitations'], cursor =>
    unwrap(
      api.GET('/api/teams/{team_id}/invitations', {
        params: { path: { team_id: team.id }, query: { cursor } },
      }),
    ),
  )
  const none = query.data?.pages[0]?.items.length === 0
  return (
    <>
      <Row
        label="Invite a member"
        hint="We send an email with a link. The link can be used once, with any account, and expires in two weeks."
      >
        <Inviting team={team} />
      </Row>
      {!none && (
        <PagedList query={query} empty="">
          {items => items.map(each => <One key={each.id} team={team} invitation={each} />)}
        </PagedList>
      )}
    </>
  )
}

function Inviting({ team }: { team: Team }) {
  const invite = useTeamMutation(team.id, (body: { email: string; role: Role }) =>
    unwrap(api.POST('/api/teams/{team_id}/invitations', { params: { path: { team_id: team.id } }, body })),
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
  const named = invite.error instanceof ApiError && invite.error.fields.length > 0
  return (
    <>
      <form onSubmit={send} className={css.form}>
        <TextInput
          name="email"
          type="email"
          label="Email"
          autoComplete="off"
          required
          error={named ? fieldError(invite.error, 'email') : invite.error?.message}
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
    <SecretLink link={sent.link}>
      {sent.by === 'email'
        ? `We sent an email to ${sent.email}. You can also send the link yourself:`
        : `This site does not send email. Send this link to ${sent.email} yourself:`}
    </SecretLink>
  )
}

const TONES = { open: 'new', accepted: 'good', expired: undefined, revoked: undefined } as const
const WORDS = { open: 'Pending', accepted: 'Joined', expired: 'Expired', revoked: 'Revoked' }

function One({ team, invitation }: { team: Team; invitation: Invitation }) {
  const path = { team_id: team.id, invitation_id: invitation.id }
  const again = useTeamMutation(team.id, () =>
    unwrap(api.POST('/api/teams/{team_id}/invitations/{invitation_id}/resend', { params: { path } })),
  )
  const revoke = useTeamMutation(team.id, () =>
    unwrap(api.DELETE('/api/teams/{team_id}/invitations/{invitation_id}', { params: { path } })),
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
              {' '}
              Resend{' '}
            </Button>
            {state === 'open' && (
              <ConfirmButton
                label="Revoke"
                title="Revoke the invitation?"
                act={() => revoke.mutateAsync(undefined)}
                grave
              >
                <Text size="sm">
                  The links for {invitation.email} stop working. You can invite the person again.
                </Text>
              </ConfirmButton>
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
  const as = `Invited as ${role} ${invited_by ? `by ${invited_by} ` : ''}on ${formatDate(created_at)}`
  if (state === 'accepted') return `${as}; joined as ${accepted_by ?? 'a deleted account'}`
  if (state === 'open') return `${as}; valid until ${formatDate(expires_at)}`
  return as
}
