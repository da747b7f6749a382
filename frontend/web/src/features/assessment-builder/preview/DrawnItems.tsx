import { Anchor, Paper, Text, Title } from '@mantine/core'
import type { Schemas } from '@/api/client'
import { pluralize } from '@/shared/format/numbers'
import { useAvailableItems } from '../plan/availableItems'
import { nameOf, type Plan } from '../plan/form'
import css from './Preview.module.css'

type PreviewData = Schemas['Preview']

/** The sections with the items that this candidate would get, and how they were drawn. */
export function DrawnItems({ preview, plan, teamId }: { preview: PreviewData; plan: Plan; teamId: string }) {
  const things = useAvailableItems(teamId)
  let number = 0
  return (
    <>
      {preview.sections.map(section => (
        <Paper key={section.key} component="section" radius="md" p="lg" className={css.section}>
          <Title order={3} fz="1.1rem">
            {section.title}
          </Title>
          <Text size="sm" c="dimmed">
            {[
              section.minutes && `time limit ${pluralize(section.minutes, 'minute')}`,
              chance(plan, section.key),
            ]
              .filter(Boolean)
              .join(', ')}
          </Text>
          <ol className={css.drawn}>
            {section.items.map(item => {
              number += 1
              return (
                <li key={number} value={number}>
                  <Anchor
                    href={things?.get(nameOf(item))?.address || undefined}
                    inherit
                    target="_blank"
                    rel="noreferrer"
                  >
                    {item.title}
                  </Anchor>
                  <span className={css.points}>
                    {item.kind !== 'challenge' && `${item.kind}, `}
                    {item.is_follow_up && 'follow-up, '}
                    {pluralize(item.points, 'point')}
                    {alternatives(plan, item.key)}
                    {item.variant && `, variant: ${item.variant}`}
                  </span>
                </li>
              )
            })}
          </ol>
        </Paper>
      ))}
      <Text ta="right" fw={600}>
        {pluralize(preview.points, 'point')} in total
      </Text>
    </>
  )
}

/** How many of a section's items are drawn; empty if all are. */
function chance(plan: Plan, key: string): string {
  const section = plan.sections.find(each => each.key === key)
  return section?.draw ? `${section.draw} of ${section.items.length} drawn` : ''
}

function alternatives(plan: Plan, key: string): string {
  const item = plan.sections.flatMap(section => section.items).find(each => each.key === key)
  return item && item.choices.length > 1 ? `, one of ${item.choices.length} alternatives` : ''
}
