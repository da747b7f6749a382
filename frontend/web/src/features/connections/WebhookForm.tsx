import { Checkbox, Stack, TextInput } from '@mantine/core'
import { fieldError, SmallForm } from '@/shared/forms/SmallForm'
import { EVENTS, type Event } from './requests'

interface Props {
  url?: string
  events?: Event[]
  error: Error | null
  busy: boolean
  button: string
  send: (url: string, events: Event[]) => void
  cancel: () => void
}

/** A webhook's URL and events. */
export function WebhookForm({
  url = '',
  events = ['participation.judged'],
  error,
  busy,
  button,
  send,
  cancel,
}: Props) {
  return (
    <SmallForm
      error={error}
      busy={busy}
      button={button}
      cancel={cancel}
      send={form => send(String(form.get('url')).trim(), form.getAll('events') as Event[])}
    >
      <TextInput
        name="url"
        type="url"
        label="URL"
        description="It must start with https:// and be reachable from the internet."
        placeholder="https://ats.example.org/gradus"
        defaultValue={url}
        required
        maxLength={500}
        error={fieldError(error, 'url')}
      />
      <Checkbox.Group label="Events" defaultValue={events} error={fieldError(error, 'events')}>
        <Stack gap="xs" mt="xs">
          {EVENTS.map(([value, words]) => (
            <Checkbox key={value} name="events" value={value} label={words} />
          ))}
        </Stack>
      </Checkbox.Group>
    </SmallForm>
  )
}
