import { Checkbox, Stack, Text } from '@mantine/core'
import { useWork } from './context'
import { Figure } from './Figure'
import { MOST, type Recorded } from './form'
import { Part } from './Part'
import { HABITS, RECORDED } from './recorded'

/** What is recorded, in the words that the candidate reads, and for how long it is kept. */
export function Recording() {
  const { form, change, problem } = useWork()
  const set = (recorded: string[]) =>
    change({ do: 'set', fields: { recorded: [...recorded].sort() as Recorded[] } })
  return (
    <Part
      id="recording"
      title="What is recorded"
      hint="Facts, not accusations. The candidate is told each of them."
    >
      <Checkbox.Group aria-label="What is recorded" value={form.recorded} onChange={set}>
        <Stack gap="md">
          {RECORDED.map(each => (
            <Checkbox
              key={each}
              value={each}
              label={HABITS[each].name}
              description={`«${HABITS[each].sentence}»`}
            />
          ))}
        </Stack>
      </Checkbox.Group>
      <Figure
        mt="xl"
        maw={220}
        label="Days until it is erased"
        max={MOST.days}
        value={form.retention_days}
        error={problem('retention_days')}
        onChange={retention_days => change({ do: 'set', fields: { retention_days } })}
      />
      <Text size="sm" c="dimmed" mt={6}>
        Names, answers and everything recorded go for good so many days after the end.
      </Text>
    </Part>
  )
}
