import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, unwrap } from '@/api/client'
import { Secret } from '@/shared/forms/Secret'
import { Row, Section } from '@/shared/forms/Section'
import { Loaded } from '@/shared/ui/QueryStates'
import { type Event, useConnectionsMutation, webhooks } from './requests'
import { WebhookForm } from './WebhookForm'
import { WebhookItem } from './WebhookItem'

/** The webhooks of a team. */
export function Webhooks({ team }: { team: string }) {
  const [open, setOpen] = useState(false)
  const query = useQuery(webhooks(team))
  const make = useConnectionsMutation(team, (body: { url: string; events: Event[] }) =>
    unwrap(api.POST('/api/teams/{team_id}/webhooks', { params: { path: { team_id: team } }, body })),
  )
  const add = (url: string, events: Event[]) =>
    make.mutate({ url, events }, { onSuccess: () => setOpen(false) })
  return (
    <Section id="webhooks" title="Webhooks">
      <Row
        label="Receive events"
        hint="Gradus sends signed messages to your system, and retries for one day if there is no response."
        action={
          !open && (
            <Button size="xs" onClick={() => setOpen(true)}>
              Add webhook
            </Button>
          )
        }
      >
        {open && (
          <WebhookForm
            error={make.error}
            busy={make.isPending}
            button="Add webhook"
            send={add}
            cancel={() => setOpen(false)}
          />
        )}
        {make.data && !open && <Secret secret={make.data.secret} />}
      </Row>
      <Loaded query={query}>
        {items =>
          items.length === 0 ? (
            <Row label={<Text c="dimmed">No webhooks yet.</Text>} />
          ) : (
            items.map(each => <WebhookItem key={each.id} team={team} hook={each} />)
          )
        }
      </Loaded>
    </Section>
  )
}
