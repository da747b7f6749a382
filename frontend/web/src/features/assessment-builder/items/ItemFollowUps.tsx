import { NativeSelect, Text } from '@mantine/core'
import { pluralize } from '@/shared/format/numbers'
import css from '../Builder.module.css'
import { usePlanContext } from '../context'
import { NumberField } from '../NumberField'
import { type Item, LIMITS, nameOf } from '../plan/form'

interface Props {
  item: Item
  name: string
  field: string
}

/** How many follow-up questions are asked after an item, and their points. Absent unless every choice has follow-ups. */
export function ItemFollowUps({ item, name, field }: Props) {
  const { change, things, problem } = usePlanContext()
  const followUps = item.choices.map(choice => things?.get(nameOf(choice))?.followUps ?? [])
  const points = item.follow_up_points
  const most = Math.max(points.length, Math.min(...followUps.map(each => each.length)))
  if (most === 0) return null
  const set = (points: number[]) => change({ do: 'set follow-ups', item: item.key, points, followUps })
  const usual = Math.max(1, Math.round(item.points / 2))
  const resize = (count: number) => set(Array.from({ length: count }, (_, at) => points[at] ?? usual))
  const error = item.choices
    .map((_, at) => problem(`${field}.choices.${at}.follow_ups`))
    .find(message => message !== undefined)
  return (
    <div className={css.followUps}>
      <NativeSelect
        size="xs"
        aria-label={`Follow-up questions of ${name}`}
        data={Array.from({ length: most + 1 }, (_, count) => ({
          value: String(count),
          label: count === 0 ? 'No follow-up question' : pluralize(count, 'follow-up question'),
        }))}
        value={points.length}
        onChange={event => resize(Number(event.currentTarget.value))}
      />
      {points.map((value, at) => (
        <NumberField
          // biome-ignore lint/suspicious/noArrayIndexKey: follow-ups are in a fixed order
          key={at}
          size="xs"
          aria-label={`Points for follow-up ${at + 1} of ${name}`}
          rightSection={<span className={css.unit}>pt</span>}
          hideControls
          w={72}
          max={LIMITS.points}
          value={value}
          onChange={value => set(points.with(at, value))}
        />
      ))}
      {points.length > 0 && (
        <Text size="sm" c="dimmed" className={css.followed}>
          After handing in: {item.choices.map(choice => titles(choice.follow_ups)).join(' or ')}
        </Text>
      )}
      {error && (
        <Text size="sm" c="var(--g-bad)" className={css.followed}>
          {error}
        </Text>
      )}
    </div>
  )

  function titles(names: string[]): string {
    return names.map(each => things?.get(`challenge:${each}`)?.title ?? each).join(', then ')
  }
}
