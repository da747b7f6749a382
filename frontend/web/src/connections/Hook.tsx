import { Badge, Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { Row } from '../account/Section'
import { when } from '../account/when'
import { api, told } from '../api/client'
import { Sure } from '../desk/Parts'
import { Broken } from '../parts/States'
import css from './Connections.module.css'
import { EVENTS, type Event, useDeed, type Webhook } from './data'
import { HookForm } from './HookForm'
import { Log } from './Log'
import { Once } from './Once'

const STATES = {
  on: ['On', 'teal', 'var(--g-good)'],
  failing: ['Failing', 'red', 'var(--g-bad)'],
  off: ['Off', 'gray', 'var(--g-soft)'],
} as const

/** One webhook: its state, what can be done about it, and what was sent. */
export function Hook({ team, hook }: { team: string; hook: Webhook }) {
  const [part, setPart] = useState<'log' | 'form' | null>(null)
  const path = { params: { path: { team_id: team, webhook_id: hook.id } } }
  const test = useDeed(team, () => told(api.POST('/api/teams/{team_id}/webhooks/{webhook_id}/test', path)))
  const rotate = useDeed(team, () =>
    told(api.POST('/api/teams/{team_id}/webhooks/{webhook_id}/secret', path)),
  )
  const change = useDeed(team, (body: { url: string; events: Event[]; on: boolean }) =>
    told(api.PUT('/api/teams/{team_id}/webhooks/{webhook_id}', { ...path, body })),
  )
  const remove = useDeed(team, () => told(api.DELETE('/api/teams/{team_id}/webhooks/{webhook_id}', path)))
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
              {off ? 'Switched off' : `No message has arrived since ${when(hook.failing_since)}`}
              {off && hook.off_at ? ` on ${when(hook.off_at)}: nobody listened.` : '.'}
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
          Send a test
        </Button>
        <Button size="xs" variant="default" aria-expanded={part === 'log'} onClick={() => toggle('log')}>
          Log
        </Button>
        <Button size="xs" variant="default" aria-expanded={part === 'form'} onClick={() => toggle('form')}>
          Change
        </Button>
        <Sure label="New secret" title="Make another secret?" act={() => rotate.mutateAsync(undefined)}>
          For a day, messages are signed with both. Change it at your side until then.
        </Sure>
        <Button
          size="xs"
          variant="default"
          loading={change.isPending}
          onClick={() => change.mutate({ ...now, on: off })}
        >
          {off ? 'Switch on' : 'Switch off'}
        </Button>
        <Sure label="Delete" title="Delete this webhook?" grave act={() => remove.mutateAsync(undefined)}>
          Nothing more is sent there, and its log is gone.
        </Sure>
      </Group>
      {test.error && <Broken error={test.error} />}
      {rotate.data && <Once secret={rotate.data.secret} />}
      {part === 'form' && (
        <HookForm
          {...now}
          error={change.error}
          busy={change.isPending}
          button="Save"
          send={(url, events) => change.mutate({ url, events, on: !off }, { onSuccess: () => setPart(null) })}
          cancel={() => setPart(null)}
        />
      )}
      {part === 'log' && <Log team={team} hook={hook} />}
    </Row>
  )
}
