import { Checkbox, Stack, TextInput } from '@mantine/core'
import { at, SmallForm } from '../account/Form'
import { EVENTS, type Event } from './data'

interface Props {
  url?: string
  events?: Event[]
  error: Error | null
  busy: boolean
  button: string
  send: (url: string, events: Event[]) => void
  cancel: () => void
}

/** Where to tell, and what. */
export function HookForm({
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
        label="Address"
        description="It begins with https:// and can be reached from the internet."
        placeholder="https://ats.example.org/gradus"
        defaultValue={url}
        required
        maxLength={500}
        error={at(error, 'url')}
      />
      <Checkbox.Group label="Tell it when" defaultValue={events} error={at(error, 'events')}>
        <Stack gap="xs" mt="xs">
          {EVENTS.map(([value, words]) => (
            <Checkbox key={value} name="events" value={value} label={words} />
          ))}
        </Stack>
      </Checkbox.Group>
    </SmallForm>
  )
}
