import { Radio, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import css from '../Builder.module.css'
import { usePlanContext } from '../context'
import { NumberField } from '../NumberField'
import { type Form, LIMITS } from '../plan/form'
import { timeZone, toLocal, toUtc } from '../plan/localTime'
import { SettingsSection } from '../SettingsSection'

/** Time limit, opening times, number of attempts, and when verdicts are shown. */
export function TimeSettings() {
  const { form, change, problem } = usePlanContext()
  return (
    <SettingsSection id="times" title="Time">
      <div className={css.fields}>
        <NumberField
          label="Time limit in minutes"
          max={LIMITS.minutes}
          value={form.minutes}
          error={problem('minutes')}
          onChange={minutes => change({ do: 'set', fields: { minutes } })}
        />
        <NumberField
          label="Attempts per candidate"
          max={5}
          value={form.attempts}
          error={problem('attempts')}
          onChange={attempts => change({ do: 'set', fields: { attempts } })}
        />
        <Moment
          label="Opens"
          value={form.opens_at}
          error={problem('opens_at')}
          onChange={opens_at => change({ do: 'set', fields: { opens_at } })}
        />
        <Moment
          label="Closes"
          value={form.closes_at}
          error={problem('closes_at') ?? problem('plan')}
          onChange={closes_at => change({ do: 'set', fields: { closes_at } })}
        />
      </div>
      <Radio.Group
        mt="lg"
        label="Candidates see their verdicts"
        value={form.verdicts}
        onChange={value => change({ do: 'set', fields: { verdicts: value as Form['verdicts'] } })}
      >
        <Stack gap="xs" mt="xs">
          <Radio
            value="after"
            label="After they finish"
            description="Until then, they see only the results of the samples."
          />
          <Radio
            value="at_once"
            label="Immediately"
            description="Each submission shows the results of its hidden tests."
          />
          <Radio
            value="never"
            label="Never"
            description="Only your team sees verdicts and scores. Candidates see the results of the samples."
          />
        </Stack>
      </Radio.Group>
    </SettingsSection>
  )
}

interface MomentProps {
  label: string
  value: string | null
  error: string | undefined
  onChange: (value: string | null) => void
}

/** A date and time in the reader's time zone; empty if not set. */
function Moment({ label, value, error, onChange }: MomentProps) {
  const [typed, setTyped] = useState(toLocal(value))
  return (
    <TextInput
      type="datetime-local"
      label={label}
      description={value ? timeZone(value) : `Optional. Time zone: ${timeZone(null)}`}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      min="2020-01-01T00:00"
      max="2100-12-31T23:59"
      // The typed text stays as it is while it means the same time.
      value={toUtc(typed) === value ? typed : toLocal(value)}
      error={error}
      onChange={event => {
        setTyped(event.currentTarget.value)
        onChange(toUtc(event.currentTarget.value))
      }}
    />
  )
}
