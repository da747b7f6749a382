import { Button, NativeSelect, Popover, Stack, Text } from '@mantine/core'
import { IconAdjustments } from '@tabler/icons-react'
import { usePlanContext } from '../context'
import { NumberField } from '../NumberField'
import type { Item } from '../plan/form'
import { describeRules, FEEDBACK, type Feedback } from '../plan/submissionRules'

const [MOST_SUBMISSIONS, LONGEST_PAUSE_S] = [100, 3600]

interface Props {
  item: Item
  name: string
  field: string
}

/** What candidates see of a challenge's results, how often they can submit, and how soon again. */
export function ItemRules({ item, name, field }: Props) {
  const { change, problem } = usePlanContext()
  const set = (fields: Partial<Pick<Item, 'feedback' | 'submissions' | 'pause_s'>>) =>
    change({ do: 'set item', item: item.key, fields })
  const rules = describeRules(item)
  return (
    <>
      <Popover position="bottom-start" width={300} withArrow shadow="md" trapFocus>
        <Popover.Target>
          <Button
            size="compact-xs"
            variant="subtle"
            leftSection={<IconAdjustments size={14} />}
            aria-label={`Submissions and feedback of ${name}`}
          >
            Submissions and feedback
          </Button>
        </Popover.Target>
        <Popover.Dropdown aria-label={`Submissions and feedback of ${name}`}>
          <Stack gap="sm">
            <NativeSelect
              label="With the verdict, candidates see"
              data={Object.entries(FEEDBACK).map(([value, label]) => ({ value, label }))}
              value={item.feedback}
              onChange={event => set({ feedback: event.currentTarget.value as Feedback })}
            />
            <NumberField
              optional
              label="Submissions"
              placeholder="Any number"
              max={MOST_SUBMISSIONS}
              value={item.submissions}
              error={problem(`${field}.submissions`)}
              onChange={submissions => set({ submissions })}
            />
            <NumberField
              optional
              label="Seconds between two submissions"
              placeholder="None"
              max={LONGEST_PAUSE_S}
              value={item.pause_s}
              error={problem(`${field}.pause_s`)}
              onChange={pause_s => set({ pause_s })}
            />
            <Text size="xs" c="dimmed">
              Runs of the samples are not limited, and their results are always complete.
            </Text>
          </Stack>
        </Popover.Dropdown>
      </Popover>
      {rules && (
        <Text size="sm" c="dimmed" mt={2}>
          {rules[0]?.toUpperCase()}
          {rules.slice(1)}.
        </Text>
      )}
    </>
  )
}
