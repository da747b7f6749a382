import { Text } from '@mantine/core'
import type { Schemas } from '@/api/client'
import { pluralize } from '@/shared/format/numbers'
import { ASSISTANT_POLICIES } from '../assistant/policies'
import { formatDuration } from '../clock'
import css from '../Participation.module.css'
import { TextSection } from '../TextSection'

/** The sections of the assessment, each with its number of items and its time limit. */
export function Outline({ sections }: { sections: Schemas['SectionOutline'][] }) {
  const items = sections.reduce((sum, each) => sum + each.items, 0)
  const followUps = sections.reduce((sum, each) => sum + each.follow_ups, 0)
  const assisted = sections.some(each => each.assistant !== 'none')
  const timed = sections.some(each => each.minutes !== null)
  return (
    <TextSection title="Sections">
      <ol className={css.rows} aria-label="Sections">
        {sections.map((each, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: titles can repeat, and the list never changes
          <li key={place} className={css.row}>
            <span>{place + 1}</span>
            <span className={css.title}>{each.title}</span>
            <span className={css.state}>{countOf(each)}</span>
            {(each.minutes !== null || assisted) && (
              <span className={css.soft}>
                {[
                  each.minutes !== null && `Time limit ${formatDuration(each.minutes)}`,
                  assisted && ASSISTANT_POLICIES[each.assistant].name,
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
            )}
          </li>
        ))}
      </ol>
      <Text size="sm" c="dimmed" mt="xs">
        {pluralize(items, 'item')} in total. You can work on the items in any order.
        {timed && ' The time limit of a section starts when you open its first item.'}
        {followUps > 0 &&
          ` In addition, there ${followUps === 1 ? 'is' : 'are'} ${pluralize(followUps, 'follow-up question')} on your own answers. Each opens when you hand in the task before it, and starts from your answer.`}
      </Text>
    </TextSection>
  )
}

function countOf({ items, follow_ups }: Schemas['SectionOutline']): string {
  const asked = follow_ups > 0 ? ` + ${pluralize(follow_ups, 'follow-up')}` : ''
  return `${pluralize(items, 'item')}${asked}`
}
