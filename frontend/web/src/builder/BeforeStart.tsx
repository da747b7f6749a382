import { Anchor, Paper, Text, Title } from '@mantine/core'
import { Link } from 'react-router'
import type { Schemas } from '../api/client'
import { Markdown } from '../parts/Markdown'
import { many } from '../team/words'
import { moment } from './moments'
import css from './Preview.module.css'
import { HABITS } from './recorded'

type Told = Schemas['Preview']

/** What a candidate is told before the time runs. */
export function BeforeStart({ told }: { told: Told }) {
  return (
    <Paper radius="md" p="lg" className={css.sheet}>
      <div>
        <Text size="sm" c="dimmed">
          {told.team}
        </Text>
        <Title order={3} fz="1.6rem">
          {told.assessment}
        </Title>
      </div>
      <ul className={css.facts}>
        {facts(told).map(each => (
          <li key={each}>{each}</li>
        ))}
      </ul>
      {told.instructions && <Markdown source={told.instructions} />}
      <Said name="What is allowed">{told.allowed}</Said>
      {told.recorded.length > 0 && (
        <div>
          <Title order={4} fz="1rem">
            What is recorded
          </Title>
          <ul className={css.facts}>
            {told.recorded.map(each => (
              <li key={each}>{HABITS[each].sentence}</li>
            ))}
          </ul>
        </div>
      )}
      {told.practice && (
        <Text size="sm">
          <Anchor component={Link} inherit to={`/challenges/${told.practice}`} target="_blank">
            Try the editor
          </Anchor>{' '}
          with a challenge that is not asked.
        </Text>
      )}
      {told.honour && (
        <div className={css.honour}>
          <Text size="sm" c="dimmed" mb={4}>
            To be agreed to
          </Text>
          <Text className={css.said}>{told.honour}</Text>
        </div>
      )}
    </Paper>
  )
}

function Said({ name, children }: { name: string; children: string }) {
  if (!children) return null
  return (
    <div>
      <Title order={4} fz="1rem">
        {name}
      </Title>
      <Text className={css.said}>{children}</Text>
    </div>
  )
}

const facts = (told: Told): string[] => [
  `${many(told.minutes, 'minute')} from the start on. The clock does not stop.`,
  told.attempts === 1 ? 'One attempt.' : `${told.attempts} attempts.`,
  told.verdicts === 'after' ? 'You see your verdicts after the end.' : 'You see each verdict at once.',
  ...(told.opens_at ? [`You can start from ${moment(told.opens_at)}.`] : []),
  ...(told.closes_at ? [`It closes on ${moment(told.closes_at)}, for everybody.`] : []),
]
