import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { when } from '../account/when'
import { api, told } from '../api/client'
import { Broken, Loaded } from '../parts/States'
import css from './Connections.module.css'
import { type Delivery, deliveries, useDeed, type Webhook } from './data'

const STATUS = { queued: 'Waiting', sent: 'Arrived', failed: 'Failed' } as const

/** What was sent to a webhook, newest first. */
export function Log({ team, hook }: { team: string; hook: Webhook }) {
  return (
    <Loaded query={useQuery(deliveries(team, hook.id))}>
      {items =>
        items.length === 0 ? (
          <Text c="dimmed" size="sm">
            Nothing was sent yet. Send a test to see whether it arrives.
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
  const again = useDeed(team, () =>
    told(
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
          Send again
        </Button>
      )}
      <div className={css.told}>
        {story(line)}
        {again.error && <Broken error={again.error} />}
        {line.answer && <pre className={css.answer}>{line.answer}</pre>}
      </div>
    </li>
  )
}

/** How the last attempt went, and when there is another one. */
function story(line: Delivery): string {
  const parts = [when(line.created_at)]
  if (line.attempts > 0) parts.push(line.attempts === 1 ? '1 attempt' : `${line.attempts} attempts`)
  if (line.code !== null) parts.push(`answered ${line.code} in ${line.took_ms} ms`)
  if (line.error) parts.push(line.error)
  if (line.next_at && line.attempts > 0) parts.push(`next attempt ${when(line.next_at)}`)
  return parts.join(' · ')
}
