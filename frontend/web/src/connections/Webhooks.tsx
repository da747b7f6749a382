import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Row, Section } from '../account/Section'
import { api, told } from '../api/client'
import { Loaded } from '../parts/States'
import { type Event, useDeed, webhooks } from './data'
import { Hook } from './Hook'
import { HookForm } from './HookForm'
import { Once } from './Once'

/** Where a team is told what happens. */
export function Webhooks({ team }: { team: string }) {
  const [open, setOpen] = useState(false)
  const query = useQuery(webhooks(team))
  const make = useDeed(team, (body: { url: string; events: Event[] }) =>
    told(api.POST('/api/teams/{team_id}/webhooks', { params: { path: { team_id: team } }, body })),
  )
  const add = (url: string, events: Event[]) =>
    make.mutate({ url, events }, { onSuccess: () => setOpen(false) })
  return (
    <Section id="webhooks" title="Webhooks">
      <Row
        label="Be told as it happens"
        hint="Gradus sends a signed message to your own system, and tries again for a day if nobody answers."
        action={
          !open && (
            <Button size="xs" onClick={() => setOpen(true)}>
              Add a webhook
            </Button>
          )
        }
      >
        {open && (
          <HookForm
            error={make.error}
            busy={make.isPending}
            button="Add it"
            send={add}
            cancel={() => setOpen(false)}
          />
        )}
        {make.data && !open && <Once secret={make.data.secret} />}
      </Row>
      <Loaded query={query}>
        {items =>
          items.length === 0 ? (
            <Row label={<Text c="dimmed">No webhooks yet.</Text>} />
          ) : (
            items.map(each => <Hook key={each.id} team={team} hook={each} />)
          )
        }
      </Loaded>
    </Section>
  )
}
