import { Alert, Anchor, Group, Text, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { api, type Schemas, unwrap } from '@/api/client'
import { useMe } from '@/api/queries'
import { formatCount, formatOptionalDateTime, pluralize } from '@/shared/format/numbers'
import { ConfirmButton } from '@/shared/forms/ConfirmButton'
import { Loaded } from '@/shared/ui/QueryStates'
import css from './Admin.module.css'
import { AdminPart, AdminSection } from './AdminSection'
import { SubmissionList } from './judging/SubmissionList'
import { Verdicts } from './Overview'
import { account, useAdminMutation } from './requests'

type Facts = Schemas['AccountFacts']

export function AccountDetails({ id }: { id: string }) {
  const query = useQuery(account(id))
  return (
    <>
      <Anchor component={Link} to="/admin/accounts" size="sm" c="dimmed">
        All accounts
      </Anchor>
      <Loaded query={query}>{facts => <Page facts={facts} />}</Loaded>
    </>
  )
}

function Page({ facts }: { facts: Facts }) {
  const own = useMe()?.id === facts.id
  const details = [
    facts.email || 'no email',
    facts.role,
    `since ${formatOptionalDateTime(facts.created_at)}`,
    `last seen ${formatOptionalDateTime(facts.last_seen_at)}`,
  ]
  return (
    <AdminPart title={facts.name} description={details.join(' · ')}>
      {facts.ban !== null && (
        <Alert color="red" variant="light" mt="md" title="This account is banned">
          {facts.ban}
        </Alert>
      )}
      <div className={css.tiles}>
        <Fact figure={facts.submissions} label="submissions" />
        <Fact figure={facts.unfinished} label="queued or being judged" />
        <Fact figure={facts.sessions} label="sessions" />
        <Fact figure={facts.tokens} label="API tokens" />
        <Fact figure={facts.reports} label="reports" />
      </div>
      {own ? (
        <Text mt="lg" c="dimmed">
          This is your own account. Manage it on{' '}
          <Anchor component={Link} to="/account">
            your account page
          </Anchor>
          .
        </Text>
      ) : (
        <Actions facts={facts} />
      )}
      <AdminSection title="Verdicts">
        <Verdicts verdicts={facts.verdicts} />
      </AdminSection>
      <AdminSection title="Submissions">
        <SubmissionList filter={{ account: facts.id }} empty="No submissions yet." />
      </AdminSection>
    </AdminPart>
  )
}

function Fact({ figure, label }: { figure: number; label: string }) {
  return (
    <div className={css.tile}>
      <span className={css.figure}>{formatCount(figure)}</span>
      <span className={css.label}>{label}</span>
    </div>
  )
}

function Actions({ facts }: { facts: Facts }) {
  const path = { account_id: facts.id }
  const [reason, setReason] = useState('')
  const role = useAdminMutation((body: Schemas['NewRole']) =>
    unwrap(api.PUT('/api/admin/accounts/{account_id}/role', { params: { path }, body })),
  )
  const out = useAdminMutation(() =>
    unwrap(api.DELETE('/api/admin/accounts/{account_id}/sessions', { params: { path } })),
  )
  const ban = useAdminMutation(() =>
    unwrap(api.PUT('/api/admin/accounts/{account_id}/ban', { params: { path }, body: { reason } })),
  )
  const open = useAdminMutation(() =>
    unwrap(api.DELETE('/api/admin/accounts/{account_id}/ban', { params: { path } })),
  )
  const other = facts.role === 'admin' ? 'account' : 'admin'
  return (
    <Group mt="lg" gap="sm">
      {facts.role !== 'guest' && facts.ban === null && (
        <ConfirmButton
          label={other === 'admin' ? 'Make admin' : 'Remove admin role'}
          title={`Change the role of ${facts.name}?`}
          act={() => role.mutateAsync({ role: other })}
        >
          <Text size="sm">
            {other === 'admin'
              ? 'Admins can read every submission, ban accounts and start rejudges.'
              : 'They lose access to the admin pages immediately.'}
          </Text>
        </ConfirmButton>
      )}
      <ConfirmButton
        label="Sign out everywhere"
        title={`Sign out ${facts.name} everywhere?`}
        act={() => out.mutateAsync(undefined)}
        disabled={facts.sessions === 0}
      >
        <Text size="sm">{pluralize(facts.sessions, 'session')} will end. API tokens keep working.</Text>
      </ConfirmButton>
      {facts.ban !== null ? (
        <ConfirmButton label="Unban" title={`Unban ${facts.name}?`} act={() => open.mutateAsync(undefined)}>
          <Text size="sm">Their API tokens work again. They have to sign in again.</Text>
        </ConfirmButton>
      ) : (
        facts.role !== 'admin' && (
          <ConfirmButton
            label="Ban"
            title={`Ban ${facts.name}?`}
            act={() => ban.mutateAsync(undefined)}
            grave
          >
            <Text size="sm" mb="sm">
              They are signed out, their API tokens stop working, and their queued submissions are cancelled.
              They see the reason when they try to sign in.
            </Text>
            <Textarea
              label="Reason"
              value={reason}
              onChange={event => setReason(event.currentTarget.value)}
              minRows={2}
              autosize
              maxLength={300}
              required
              data-autofocus
            />
          </ConfirmButton>
        )
      )}
    </Group>
  )
}
