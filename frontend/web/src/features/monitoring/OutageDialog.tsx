import { Button, Group, List, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { pluralize } from '@/shared/format/numbers'
import { ConfirmDialog } from '@/shared/forms/ConfirmDialog'
import { Dialog } from '@/shared/ui/Dialog'
import { formatRoughDuration } from './labels'
import { type Place, useReportOutage } from './requests'

const MINUTE_MS = 60_000

/** A time as the value of its form field, in the reader's time zone. */
function local(moment: number): string {
  const zone = new Date(moment).getTimezoneOffset() * MINUTE_MS
  return new Date(moment - zone).toISOString().slice(0, 16)
}

/** Reports a period in which nobody could work, and shows whose time was extended. */
export function OutageDialog({ at, onClose }: { at: Place; onClose: () => void }) {
  const [begins, setBegins] = useState(() => local(Date.now() - 10 * MINUTE_MS))
  const [ends, setEnds] = useState(() => local(Date.now()))
  const report = useReportOutage(at)
  if (report.data) return <GivenBack report={report.data} onClose={onClose} />
  const iso = (text: string) => new Date(text).toISOString()
  const seconds = (Date.parse(ends) - Date.parse(begins)) / 1000
  return (
    <ConfirmDialog
      title="Give time back after an outage"
      label="Give time back"
      onClose={onClose}
      onSend={() => report.mutate({ begins_at: iso(begins), ends_at: iso(ends) })}
      busy={report.isPending}
      error={report.error}
      disabled={!(seconds > 0)}
    >
      <Text size="sm" mb="md">
        Everyone who was taking the assessment in this period gets the time back, unless it was already given
        back. Candidates who chose to finish stay finished. If a candidate’s time ran out, the assessment
        reopens for them until their new deadline.
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
          error={seconds <= 0 && 'The end must be after the start.'}
        />
      </Group>
      {seconds > 0 && (
        <Text size="sm" c="dimmed" mt="xs">
          {formatRoughDuration(seconds)}. Times are in your time zone.
        </Text>
      )}
    </ConfirmDialog>
  )
}

function GivenBack({
  report,
  onClose,
}: {
  report: NonNullable<ReturnType<typeof useReportOutage>['data']>
  onClose: () => void
}) {
  return (
    <Dialog title="Time given back" onClose={onClose}>
      <Text size="sm" mb="sm" role="status">
        {report.affected === 0
          ? 'No one was taking the assessment during this period, or the time was already given back.'
          : `${pluralize(report.affected, 'candidate')} got time back.`}
      </Text>
      <List size="sm">
        {report.people.map(each => (
          <List.Item key={each.id}>
            {each.name}: {formatRoughDuration(each.given_back_s)} in total
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
