import { NumberInput, Text } from '@mantine/core'
import { useState } from 'react'
import { ConfirmDialog } from '@/shared/forms/ConfirmDialog'
import { type Person, type Row, useErase, useExtraTime, useFinish } from './requests'

interface Props {
  of: Person
  row: Row
  onClose: () => void
}

export function ExtraTimeDialog({ of, row, onClose }: Props) {
  const [minutes, setMinutes] = useState<string | number>(row.extra_s / 60)
  const give = useExtraTime(of)
  const whole = typeof minutes === 'number' && Number.isInteger(minutes) && minutes >= 0 && minutes <= 1440
  return (
    <ConfirmDialog
      title={`Extra time for ${row.name}`}
      label="Save"
      onClose={onClose}
      onSend={() => whole && give.mutate(minutes, { onSuccess: onClose })}
      busy={give.isPending}
      error={give.error}
      disabled={!whole}
    >
      <NumberInput
        data-autofocus
        label="Total extra minutes"
        description="The deadline changes immediately. If the old deadline has passed and the new one has not, the assessment reopens."
        min={0}
        max={1440}
        allowDecimal={false}
        value={minutes}
        onChange={setMinutes}
      />
    </ConfirmDialog>
  )
}

export function FinishDialog({ of, row, onClose }: Props) {
  const finish = useFinish(of)
  return (
    <ConfirmDialog
      title={`End the assessment for ${row.name}?`}
      label="End now"
      grave
      onClose={onClose}
      onSend={() => finish.mutate(undefined, { onSuccess: onClose })}
      busy={finish.isPending}
      error={finish.error}
    >
      <Text size="sm">
        The assessment ends immediately for {row.name}. Their latest code is submitted, and they cannot submit
        anything after that. This cannot be undone.
      </Text>
    </ConfirmDialog>
  )
}

export function EraseDialog({ of, row, onClose, onErased }: Props & { onErased: () => void }) {
  const erase = useErase(of)
  return (
    <ConfirmDialog
      title={`Delete all data about ${row.name}?`}
      label="Delete permanently"
      grave
      onClose={onClose}
      onSend={() => erase.mutate(undefined, { onSuccess: onErased })}
      busy={erase.isPending}
      error={erase.error}
    >
      <Text size="sm">
        The invitation, every attempt, all answers, recorded activity, notes and scores of {row.name} are
        deleted immediately. This cannot be undone.
      </Text>
    </ConfirmDialog>
  )
}
