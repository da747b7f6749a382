import { Anchor, Paper, Text, Title } from '@mantine/core'
import type { Schemas } from '../api/client'
import { many } from '../team/words'
import { nameOf, type Plan } from './form'
import css from './Preview.module.css'
import { useThings } from './things'

type Told = Schemas['Preview']

/** The sections with what this candidate would get, and how it was chosen. */
export function Drawn({ told, plan, teamId }: { told: Told; plan: Plan; teamId: string }) {
  const things = useThings(teamId)
  let number = 0
  return (
    <>
      {told.sections.map(section => (
        <Paper key={section.key} component="section" radius="md" p="lg" className={css.section}>
          <Title order={3} fz="1.1rem">
            {section.title}
          </Title>
          <Text size="sm" c="dimmed">
            {[section.minutes && `${many(section.minutes, 'minute')} of its own`, chance(plan, section.key)]
              .filter(Boolean)
              .join(', ')}
          </Text>
          <ol className={css.drawn}>
            {section.items.map(item => {
              number += 1
              return (
                <li key={item.key} value={number}>
                  <Anchor href={things?.get(nameOf(item))?.address} inherit target="_blank" rel="noreferrer">
                    {item.title}
                  </Anchor>
                  <span className={css.points}>
                    {item.kind === 'quiz' && 'quiz, '}
                    {many(item.points, 'point')}
                    {alternatives(plan, item.key)}
                  </span>
                </li>
              )
            })}
          </ol>
        </Paper>
      ))}
      <Text ta="right" fw={600}>
        {many(told.points, 'point')} in all
      </Text>
    </>
  )
}

/** How many of a section's items are drawn, if not all. */
function chance(plan: Plan, key: string): string {
  const section = plan.sections.find(each => each.key === key)
  return section?.draw ? `${section.draw} of ${section.items.length} drawn` : ''
}

function alternatives(plan: Plan, key: string): string {
  const item = plan.sections.flatMap(section => section.items).find(each => each.key === key)
  return item && item.choices.length > 1 ? `, one of ${item.choices.length} alternatives` : ''
}
