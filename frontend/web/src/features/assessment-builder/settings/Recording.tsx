import { Checkbox, Stack, Text } from '@mantine/core'
import { usePlanContext } from '../context'
import { NumberField } from '../NumberField'
import { LIMITS, type Recorded } from '../plan/form'
import { RECORDED, RECORDED_LABELS } from '../plan/recorded'
import { SettingsSection } from '../SettingsSection'

/** Recorded activity, in the words that the candidate reads, and how long it is kept. */
export function Recording() {
  const { form, change, problem } = usePlanContext()
  const set = (recorded: string[]) =>
    change({ do: 'set', fields: { recorded: [...recorded].sort() as Recorded[] } })
  return (
    <SettingsSection
      id="recording"
      title="Recorded activity"
      hint="Candidates see this list before they start."
    >
      <Checkbox.Group aria-label="Recorded activity" value={form.recorded} onChange={set}>
        <Stack gap="md">
          {RECORDED.map(each => (
            <Checkbox
              key={each}
              value={each}
              label={RECORDED_LABELS[each].name}
              description={`“${RECORDED_LABELS[each].sentence}”`}
            />
          ))}
        </Stack>
      </Checkbox.Group>
      <NumberField
        mt="xl"
        maw={220}
        label="Days until deletion"
        max={LIMITS.days}
        value={form.retention_days}
        error={problem('retention_days')}
        onChange={retention_days => change({ do: 'set', fields: { retention_days } })}
      />
      <Text size="sm" c="dimmed" mt={6}>
        A candidate’s name, answers and recorded activity are deleted this many days after they finish.
      </Text>
    </SettingsSection>
  )
}
