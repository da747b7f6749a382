import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/api/client'
import { formatDateTime } from '@/shared/format/dates'
import { ErrorMessage, Loaded } from '@/shared/ui/QueryStates'
import css from './Connections.module.css'
import { type Delivery, deliveries, useConnectionsMutation, type Webhook } from './requests'

const STATUS = { queued: 'Waiting', sent: 'Arrived', failed: 'Failed' } as const

/** Deliveries of a webhook, newest first. */
export function DeliveryLog({ team, hook }: { team: string; hook: Webhook }) {
  return (
    <Loaded query={useQuery(deliveries(team, hook.id))}>
      {items =>
        items.length === 0 ? (
          <Text c="dimmed" size="sm">
            No messages yet. Send a test to check the webhook.
          </Text>
        ) : (
          <ul className={css.list} aria-label="Messages">
            {items.map(each => (
              <Line key={each.id} team={team} hook={hook} line={each} />
            ))}
          </ul>
        )
      }
    </Loaded>
  )
}

function Line({ team, hook, line }: { team: string; hook: Webhook; line: Delivery }) {
  const path = { team_id: team, webhook_id: hook.id, delivery_id: line.id }
  const again = useConnectionsMutation(team, () =>
    unwrap(
      api.POST('/api/teams/{team_id}/webhooks/{webhook_id}/deliveries/{delivery_id}/again', {
        params: { path },
      }),
    ),
  )
  return (
    <li className={css.delivery}>
      <span className={css.status} data-status={line.status}>
        {STATUS[line.status]}
      </span>
      <span className={css.kind}>{line.kind}</span>
      {line.status !== 'queued' && hook.state !== 'off' && (
        <Button
          size="compact-xs"
          variant="subtle"
          loading={again.isPending}
          onClick={() => again.mutate(undefined)}
        >
          Resend
        </Button>
      )}
      <div className={css.details}>
        {story(line)}
        {again.error && <ErrorMessage error={again.error} />}
        {line.answer && <pre className={css.answer}>{line.answer}</pre>}
      </div>
    </li>
  )
}

/** The outcome of the last attempt, and when the next one is due. */
function story(line: Delivery): string {
  const parts = [formatDateTime(line.created_at)]
  if (line.attempts > 0) parts.push(line.attempts === 1 ? '1 attempt' : `${line.attempts} attempts`)
  if (line.code !== null) parts.push(`response ${line.code} in ${line.took_ms} ms`)
  if (line.error) parts.push(line.error)
  if (line.next_at && line.attempts > 0) parts.push(`next attempt ${formatDateTime(line.next_at)}`)
  return parts.join(' · ')
}
