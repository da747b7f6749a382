import { ActionIcon, Button, Group, Text } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { ExtraTimeField } from './ExtraTimeField'
import { type ExtraTime, formatExtraTime, toExtraTime } from './model/extraTime'

interface Props {
  extra: { extra_minutes: number; time_percent: number }
  called: string
  /** Absent if the extra time is read-only. */
  set?: (extra: ExtraTime) => Promise<unknown>
}

/** A person's extra time. A click replaces it with an input field. */
export function ExtraTimeDialog({ extra, called, set }: Props) {
  const [given, setGiven] = useState<string>()
  const [busy, setBusy] = useState(false)
  const shown = formatExtraTime(extra)
  if (!set)
    return (
      <Text size="sm" c="dimmed">
        {shown}
      </Text>
    )
  if (given === undefined)
    return (
      <Button
        size="compact-sm"
        variant="subtle"
        fw={shown ? 500 : 400}
        ml={-8}
        color={shown ? undefined : 'gray'}
        aria-label={shown ? `Change extra time for ${called}: ${shown}` : `Add extra time for ${called}`}
        onClick={() =>
          setGiven(
            extra.time_percent > 100 ? `×${extra.time_percent / 100}` : String(extra.extra_minutes || ''),
          )
        }
      >
        {shown || 'Add extra time'}
      </Button>
    )
  const save = async (event: FormEvent) => {
    event.preventDefault()
    const wanted = toExtraTime(given)
    if (!wanted) return
    setBusy(true)
    // Errors appear below the row.
    await set(wanted).catch(() => undefined)
    setBusy(false)
    setGiven(undefined)
  }
  return (
    <form onSubmit={save}>
      <Group gap={4} wrap="nowrap">
        <ExtraTimeField
          size="xs"
          aria-label={`Extra time for ${called}`}
          value={given}
          change={setGiven}
          onKeyDown={event => event.key === 'Escape' && setGiven(undefined)}
          w={120}
          autoFocus
        />
        <ActionIcon type="submit" variant="light" aria-label="Save" loading={busy}>
          <IconCheck size={17} />
        </ActionIcon>
      </Group>
    </form>
  )
}
