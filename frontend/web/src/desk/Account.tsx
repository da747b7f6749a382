import { Alert, Anchor, Group, Text, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { api, type Schemas, told } from '../api/client'
import { useMe } from '../api/queries'
import { Loaded } from '../parts/States'
import css from './Desk.module.css'
import { account, useDeed } from './data'
import { count, many, when } from './format'
import { Verdicts } from './Overview'
import { Part, Section, Sure } from './Parts'
import { Sent } from './Sent'

type Facts = Schemas['AccountFacts']

export function Account({ id }: { id: string }) {
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
  const told = [
    facts.email || 'no e-mail',
    facts.role,
    `since ${when(facts.created_at)}`,
    `last seen ${when(facts.last_seen_at)}`,
  ]
  return (
    <Part title={facts.name} told={told.join(' · ')}>
      {facts.ban !== null && (
        <Alert color="red" variant="light" mt="md" title="This account is closed">
          {facts.ban}
        </Alert>
      )}
      <div className={css.tiles}>
        <Fact figure={facts.submissions} label="submissions" />
        <Fact figure={facts.unfinished} label="in the queue or judged now" />
        <Fact figure={facts.sessions} label="sessions" />
        <Fact figure={facts.tokens} label="API tokens" />
        <Fact figure={facts.reports} label="reports" />
      </div>
      {own ? (
        <Text mt="lg" c="dimmed">
          This is you. What concerns your own account is on{' '}
          <Anchor component={Link} to="/account">
            your account page
          </Anchor>
          .
        </Text>
      ) : (
        <Deeds facts={facts} />
      )}
      <Section title="Verdicts">
        <Verdicts verdicts={facts.verdicts} />
      </Section>
      <Section title="Submissions">
        <Sent filter={{ account: facts.id }} empty="Nothing sent yet." />
      </Section>
    </Part>
  )
}

function Fact({ figure, label }: { figure: number; label: string }) {
  return (
    <div className={css.tile}>
      <span className={css.figure}>{count(figure)}</span>
      <span className={css.label}>{label}</span>
    </div>
  )
}

function Deeds({ facts }: { facts: Facts }) {
  const path = { account_id: facts.id }
  const [reason, setReason] = useState('')
  const role = useDeed((body: Schemas['NewRole']) =>
    told(api.PUT('/api/admin/accounts/{account_id}/role', { params: { path }, body })),
  )
  const out = useDeed(() =>
    told(api.DELETE('/api/admin/accounts/{account_id}/sessions', { params: { path } })),
  )
  const ban = useDeed(() =>
    told(api.PUT('/api/admin/accounts/{account_id}/ban', { params: { path }, body: { reason } })),
  )
  const open = useDeed(() => told(api.DELETE('/api/admin/accounts/{account_id}/ban', { params: { path } })))
  const other = facts.role === 'admin' ? 'account' : 'admin'
  return (
    <Group mt="lg" gap="sm">
      {facts.role !== 'guest' && facts.ban === null && (
        <Sure
          label={other === 'admin' ? 'Make admin' : 'Make a plain account'}
          title={`${facts.name}: change the role?`}
          act={() => role.mutateAsync({ role: other })}
        >
          <Text size="sm">
            {other === 'admin'
              ? 'An admin reads every submission, closes accounts and has things judged again.'
              : 'This desk is closed to them from the next request on.'}
          </Text>
        </Sure>
      )}
      <Sure
        label="Sign out everywhere"
        title={`Sign ${facts.name} out?`}
        act={() => out.mutateAsync(undefined)}
        disabled={facts.sessions === 0}
      >
        <Text size="sm">{many(facts.sessions, 'session')} will end. API tokens go on working.</Text>
      </Sure>
      {facts.ban !== null ? (
        <Sure
          label="Open again"
          title={`Open ${facts.name}'s account?`}
          act={() => open.mutateAsync(undefined)}
        >
          <Text size="sm">Its tokens work as before; its owner signs in anew.</Text>
        </Sure>
      ) : (
        facts.role !== 'admin' && (
          <Sure
            label="Ban"
            title={`Close ${facts.name}'s account?`}
            act={() => ban.mutateAsync(undefined)}
            grave
          >
            <Text size="sm" mb="sm">
              Sessions end, tokens are refused, what is in the queue is cancelled. Its owner reads the reason
              when signing in.
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
          </Sure>
        )
      )}
    </Group>
  )
}
