import { Button, Group, List, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Dialog } from '../parts/Dialog'
import { Ask } from './Ask'
import { type Place, useOutage } from './queries'
import { lasting, many } from './words'

const MINUTE_MS = 60_000

/** A moment as the field for it wants it, in the reader's own time. */
function local(moment: number): string {
  const zone = new Date(moment).getTimezoneOffset() * MINUTE_MS
  return new Date(moment - zone).toISOString().slice(0, 16)
}

/** Reports a stretch of time in which nobody could work; says whom it gave time back to. */
export function Outage({ at, onClose }: { at: Place; onClose: () => void }) {
  const [begins, setBegins] = useState(() => local(Date.now() - 10 * MINUTE_MS))
  const [ends, setEnds] = useState(() => local(Date.now()))
  const report = useOutage(at)
  if (report.data) return <Told report={report.data} onClose={onClose} />
  const iso = (text: string) => new Date(text).toISOString()
  const seconds = (Date.parse(ends) - Date.parse(begins)) / 1000
  return (
    <Ask
      title="Report an outage"
      label="Give the time back"
      onClose={onClose}
      onSend={() => report.mutate({ begins_at: iso(begins), ends_at: iso(ends) })}
      busy={report.isPending}
      error={report.error}
      disabled={!(seconds > 0)}
    >
      <Text size="sm" mb="md">
        Everybody who was at work in this time gets it back, as far as it was not given back already. Who has
        finished on their own keeps their end. Deadlines that have passed begin to run again if time is left.
      </Text>
      <Group grow preventGrowOverflow={false} align="flex-start">
        <TextInput
          data-autofocus
          type="datetime-local"
          label="From"
          required
          value={begins}
          onChange={event => setBegins(event.currentTarget.value)}
        />
        <TextInput
          type="datetime-local"
          label="To"
          required
          value={ends}
          onChange={event => setEnds(event.currentTarget.value)}
          error={seconds <= 0 && 'It must end after it began.'}
        />
      </Group>
      {seconds > 0 && (
        <Text size="sm" c="dimmed" mt="xs">
          {lasting(seconds)}, in your own time zone.
        </Text>
      )}
    </Ask>
  )
}

function Told({
  report,
  onClose,
}: {
  report: NonNullable<ReturnType<typeof useOutage>['data']>
  onClose: () => void
}) {
  return (
    <Dialog title="Time given back" onClose={onClose}>
      <Text size="sm" mb="sm" role="status">
        {report.affected === 0
          ? 'Nobody was at work in this time, or had it back already.'
          : `${many(report.affected, 'person', 'people')} got time back.`}
      </Text>
      <List size="sm">
        {report.people.map(each => (
          <List.Item key={each.id}>
            {each.name}: {lasting(each.given_back_s)} in all
          </List.Item>
        ))}
      </List>
      {report.affected > report.people.length && (
        <Text size="sm" c="dimmed">
          And {report.affected - report.people.length} more.
        </Text>
      )}
      <Group mt="lg" justify="flex-end">
        <Button onClick={onClose}>Close</Button>
      </Group>
    </Dialog>
  )
}
