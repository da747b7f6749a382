import type { Schemas } from '@/api/client'
import css from './Tags.module.css'

const MOST = 18

/** The most common tags of all challenges, with the number of challenges for each. */
export function Tags(props: {
  all: Schemas['ChallengeCard'][]
  value: string
  onChange: (value: string | null) => void
}) {
  const counts = new Map<string, number>()
  for (const each of props.all) for (const tag of each.topics) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  const common = [...counts].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0])).slice(0, MOST)
  const shown = common.some(([tag]) => tag === props.value)
    ? common
    : [...common, ...[...counts].filter(([tag]) => tag === props.value)]
  return (
    <fieldset className={`${css.tags} g-fade`} aria-label="Tags">
      {shown.map(([tag, count]) => (
        <button
          key={tag}
          type="button"
          className={css.tag}
          aria-pressed={props.value === tag}
          onClick={() => props.onChange(props.value === tag ? null : tag)}
        >
          {tag} {count}
        </button>
      ))}
    </fieldset>
  )
}
