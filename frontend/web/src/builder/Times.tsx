import { Radio, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import css from './Builder.module.css'
import { useWork } from './context'
import { Figure } from './Figure'
import { MOST } from './form'
import { toLocal, toUtc, zone } from './moments'
import { Part } from './Part'

/** How long, when, how often, and when the verdicts are shown. */
export function Times() {
  const { form, change, problem } = useWork()
  return (
    <Part id="times" title="Time">
      <div className={css.fields}>
        <Figure
          label="Minutes for everything"
          max={MOST.minutes}
          value={form.minutes}
          error={problem('minutes')}
          onChange={minutes => change({ do: 'set', fields: { minutes } })}
        />
        <Figure
          label="Attempts for each candidate"
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
        onChange={verdicts =>
          change({ do: 'set', fields: { verdicts: verdicts === 'after' ? 'after' : 'at_once' } })
        }
      >
        <Stack gap="xs" mt="xs">
          <Radio value="after" label="After the end" description="Until then they see the samples only." />
          <Radio
            value="at_once"
            label="At once"
            description="Each submission shows how its hidden tests ended."
          />
        </Stack>
      </Radio.Group>
    </Part>
  )
}

interface MomentProps {
  label: string
  value: string | null
  error: string | undefined
  onChange: (value: string | null) => void
}

/** A moment in the reader's own time; empty for none. */
function Moment({ label, value, error, onChange }: MomentProps) {
  const [typed, setTyped] = useState(toLocal(value))
  return (
    <TextInput
      type="datetime-local"
      label={label}
      description={value ? zone(value) : `Always, unless you say when (${zone(null)})`}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      min="2020-01-01T00:00"
      max="2100-12-31T23:59"
      // What is typed stays as it is while it means the same moment.
      value={toUtc(typed) === value ? typed : toLocal(value)}
      error={error}
      onChange={event => {
        setTyped(event.currentTarget.value)
        onChange(toUtc(event.currentTarget.value))
      }}
    />
  )
}
