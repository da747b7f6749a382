import { NumberInput, Text } from '@mantine/core'
import { useState } from 'react'
import { Ask } from './Ask'
import { type Person, type Row, useErase, useExtraTime, useFinish } from './queries'

interface Props {
  of: Person
  row: Row
  onClose: () => void
}

export function ExtraTime({ of, row, onClose }: Props) {
  const [minutes, setMinutes] = useState<string | number>(row.extra_s / 60)
  const give = useExtraTime(of)
  const whole = typeof minutes === 'number' && Number.isInteger(minutes) && minutes >= 0 && minutes <= 1440
  return (
    <Ask
      title={`Extra time for ${row.name}`}
      label="Set it"
      onClose={onClose}
      onSend={() => whole && give.mutate(minutes, { onSuccess: onClose })}
      busy={give.isPending}
      error={give.error}
      disabled={!whole}
    >
      <NumberInput
        data-autofocus
        label="Minutes longer than others, in all"
        description="The deadline moves at once. If it has passed and there is time again, the assessment goes on."
        min={0}
        max={1440}
        allowDecimal={false}
        value={minutes}
        onChange={setMinutes}
      />
    </Ask>
  )
}

export function FinishNow({ of, row, onClose }: Props) {
  const finish = useFinish(of)
  return (
    <Ask
      title={`Finish for ${row.name}`}
      label="Finish now"
      grave
      onClose={onClose}
      onSend={() => finish.mutate(undefined, { onSuccess: onClose })}
      busy={finish.isPending}
      error={finish.error}
    >
      <Text size="sm">
        The assessment of {row.name} ends at once. What was written last is sent, and nothing can be sent
        after it. This cannot be undone.
      </Text>
    </Ask>
  )
}

export function Erase({ of, row, onClose, onErased }: Props & { onErased: () => void }) {
  const erase = useErase(of)
  return (
    <Ask
      title={`Erase everything about ${row.name}`}
      label="Erase for good"
      grave
      onClose={onClose}
      onSend={() => erase.mutate(undefined, { onSuccess: onErased })}
      busy={erase.isPending}
      error={erase.error}
    >
      <Text size="sm">
        The invitation, every attempt, all answers, recordings, notes and scores of {row.name} are deleted at
        once. Nobody can bring them back.
      </Text>
    </Ask>
  )
}
