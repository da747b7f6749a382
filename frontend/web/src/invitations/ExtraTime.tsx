import { ActionIcon, Button, Group, NumberInput, Text } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'

interface Props {
  minutes: number
  called: string
  /** Absent: it is read only. */
  set?: (minutes: number) => Promise<unknown>
}

/** How much longer somebody has than others; a press opens the field in its place. */
export function ExtraTime({ minutes, called, set }: Props) {
  const [given, setGiven] = useState<number>()
  const [busy, setBusy] = useState(false)
  const shown = `+${minutes} min`
  if (!set)
    return (
      <Text size="sm" c="dimmed">
        {minutes ? shown : ''}
      </Text>
    )
  if (given === undefined)
    return (
      <Button
        size="compact-sm"
        variant="subtle"
        fw={minutes ? 500 : 400}
        ml={-8}
        color={minutes ? undefined : 'gray'}
        aria-label={minutes ? `${shown} for ${called}, change it` : `Add time for ${called}`}
        onClick={() => setGiven(minutes)}
      >
        {minutes ? shown : 'Add time'}
      </Button>
    )
  const save = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    // What is refused is told below the row.
    await set(given).catch(() => undefined)
    setBusy(false)
    setGiven(undefined)
  }
  return (
    <form onSubmit={save}>
      <Group gap={4} wrap="nowrap">
        <NumberInput
          size="xs"
          aria-label={`Extra minutes of ${called}`}
          value={given}
          onChange={value => setGiven(Number(value))}
          onKeyDown={event => event.key === 'Escape' && setGiven(undefined)}
          min={0}
          max={1440}
          clampBehavior="strict"
          allowDecimal={false}
          hideControls
          w={72}
          autoFocus
        />
        <ActionIcon type="submit" variant="light" aria-label="Save" loading={busy}>
          <IconCheck size={17} />
        </ActionIcon>
      </Group>
    </form>
  )
}
