import { Button, NativeSelect, Popover, Stack, Text } from '@mantine/core'
import { IconAdjustments } from '@tabler/icons-react'
import { usePlanContext } from '../context'
import { NumberField } from '../NumberField'
import type { Form, Item } from '../plan/form'
import { describeRules, type Feedback, feedbackOf, feedbackOptions } from '../plan/submissionRules'

const [MOST_SUBMISSIONS, LONGEST_PAUSE_S] = [100, 3600]
const WHEN: Record<Form['verdicts'], string> = {
  after: 'Results are shown after the candidate finishes',
  at_once: 'Results are shown immediately',
  never: 'Results are never shown, so this has no effect',
}

interface Props {
  item: Item
  name: string
  field: string
}

/**
 * What candidates see of an item's results and, for a challenge, how often they can submit, and how soon again. Renders nothing
 * for a quiz, which has no such rules.
 */
export function ItemRules({ item, name, field }: Props) {
  const { form, change, problem } = usePlanContext()
  const options = feedbackOptions(item)
  if (options.length === 0) return null
  const isChallenge = item.choices.some(each => each.kind === 'challenge')
  const title = isChallenge ? 'Submissions and feedback' : 'Feedback'
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
            aria-label={`${title} of ${name}`}
          >
            {title}
          </Button>
        </Popover.Target>
        <Popover.Dropdown aria-label={`${title} of ${name}`}>
          <Stack gap="sm">
            <NativeSelect
              label={`With the ${isChallenge ? 'verdict' : 'result'}, candidates see`}
              description={`${WHEN[form.verdicts]} (see Time, below).`}
              data={options.map(({ value, label }) => ({ value, label }))}
              value={feedbackOf(item)}
              onChange={event => set({ feedback: event.currentTarget.value as Feedback })}
            />
            {isChallenge && (
              <>
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
              </>
            )}
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
