import { Badge, Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { api, unwrap } from '@/api/client'
import { formatDateTime } from '@/shared/format/dates'
import { ConfirmButton } from '@/shared/forms/ConfirmButton'
import { Secret } from '@/shared/forms/Secret'
import { Row } from '@/shared/forms/Section'
import { ErrorMessage } from '@/shared/ui/QueryStates'
import css from './Connections.module.css'
import { DeliveryLog } from './DeliveryLog'
import { EVENTS, type Event, useConnectionsMutation, type Webhook } from './requests'
import { WebhookForm } from './WebhookForm'

const STATES = {
  on: ['On', 'teal', 'var(--g-good)'],
  failing: ['Failing', 'red', 'var(--g-bad)'],
  off: ['Off', 'gray', 'var(--g-soft)'],
} as const

/** A webhook: its state, its actions, and its deliveries. */
export function WebhookItem({ team, hook }: { team: string; hook: Webhook }) {
  const [part, setPart] = useState<'log' | 'form' | null>(null)
  const path = { params: { path: { team_id: team, webhook_id: hook.id } } }
  const test = useConnectionsMutation(team, () =>
    unwrap(api.POST('/api/teams/{team_id}/webhooks/{webhook_id}/test', path)),
  )
  const rotate = useConnectionsMutation(team, () =>
    unwrap(api.POST('/api/teams/{team_id}/webhooks/{webhook_id}/secret', path)),
  )
  const change = useConnectionsMutation(team, (body: { url: string; events: Event[]; on: boolean }) =>
    unwrap(api.PUT('/api/teams/{team_id}/webhooks/{webhook_id}', { ...path, body })),
  )
  const remove = useConnectionsMutation(team, () =>
    unwrap(api.DELETE('/api/teams/{team_id}/webhooks/{webhook_id}', path)),
  )
  const [state, colour, ink] = STATES[hook.state]
  const off = hook.state === 'off'
  const now = { url: hook.url, events: hook.events }
  const toggle = (what: 'log' | 'form') => setPart(part === what ? null : what)
  return (
    <Row
      wide
      label={
        <>
          <span className={css.url}>{hook.url}</span>
          <Badge color={colour} c={ink} variant="light" tt="none">
            {state}
          </Badge>
        </>
      }
      hint={
        <>
          {EVENTS.filter(([event]) => hook.events.includes(event))
            .map(([, words]) => words)
            .join(' · ')}
          {hook.failing_since && (
            <Text span display="block" size="sm" c="var(--g-bad)">
              {off ? 'Disabled' : `No message has been delivered since ${formatDateTime(hook.failing_since)}`}
              {off && hook.off_at
                ? ` on ${formatDateTime(hook.off_at)}, because no message could be delivered. Check the log, then enable it again.`
                : '.'}
            </Text>
          )}
        </>
      }
    >
      <Group gap="xs" mb={part || rotate.data ? 'md' : 0}>
        <Button
          size="xs"
          variant="default"
          disabled={off}
          loading={test.isPending}
          onClick={() => test.mutate(undefined, { onSuccess: () => setPart('log') })}
        >
          Send test
        </Button>
        <Button size="xs" variant="default" aria-expanded={part === 'log'} onClick={() => toggle('log')}>
          {part === 'log' ? 'Hide log' : 'Show log'}
        </Button>
        <Button size="xs" variant="default" aria-expanded={part === 'form'} onClick={() => toggle('form')}>
          {' '}
          Edit{' '}
        </Button>
        <ConfirmButton
          label="Rotate secret"
          title="Rotate the secret?"
          act={() => rotate.mutateAsync(undefined)}
        >
          You get a new secret. For one day, messages are signed with both secrets. Update your system in that
          time.
        </ConfirmButton>
        <Button
          size="xs"
          variant="default"
          loading={change.isPending}
          onClick={() => change.mutate({ ...now, on: off })}
        >
          {off ? 'Enable' : 'Disable'}
        </Button>
        <ConfirmButton
          label="Delete"
          title="Delete this webhook?"
          grave
          act={() => remove.mutateAsync(undefined)}
        >
          Nothing more is sent to it, and its log is deleted.
        </ConfirmButton>
      </Group>
      {test.error && <ErrorMessage error={test.error} />}
      {rotate.data && <Secret secret={rotate.data.secret} />}
      {part === 'form' && (
        <WebhookForm
          {...now}
          error={change.error}
          busy={change.isPending}
          button="Save"
          send={(url, events) => change.mutate({ url, events, on: !off }, { onSuccess: () => setPart(null) })}
          cancel={() => setPart(null)}
        />
      )}
      {part === 'log' && <DeliveryLog team={team} hook={hook} />}
    </Row>
  )
}
