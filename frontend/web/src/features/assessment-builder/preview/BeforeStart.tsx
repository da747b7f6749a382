import { Anchor, Paper, Text, Title } from '@mantine/core'
import { Link } from 'react-router'
import type { Schemas } from '@/api/client'
import { AssistantRules } from '@/features/participations'
import { pluralize } from '@/shared/format/numbers'
import { Markdown } from '@/shared/markdown/Markdown'
import { formatMoment } from '../plan/localTime'
import { RECORDED_LABELS } from '../plan/recorded'
import css from './Preview.module.css'

type PreviewData = Schemas['Preview']

/** What a candidate reads before the start. */
export function BeforeStart({ preview }: { preview: PreviewData }) {
  return (
    <Paper radius="md" p="lg" className={css.sheet}>
      <div>
        <Text size="sm" c="dimmed">
          {preview.team}
        </Text>
        <Title order={3} fz="1.6rem">
          {preview.assessment}
        </Title>
      </div>
      <ul className={css.facts}>
        {facts(preview).map(each => (
          <li key={each}>{each}</li>
        ))}
      </ul>
      {preview.instructions && <Markdown source={preview.instructions} />}
      <Said name="Allowed resources">{preview.allowed}</Said>
      <AssistantRules sections={preview.sections} />
      {preview.recorded.length > 0 && (
        <div>
          <Title order={4} fz="1rem">
            Recorded activity
          </Title>
          <ul className={css.facts}>
            {preview.recorded.map(each => (
              <li key={each}>{RECORDED_LABELS[each].sentence}</li>
            ))}
          </ul>
        </div>
      )}
      {preview.practice && (
        <Text size="sm">
          <Anchor component={Link} inherit to={`/challenges/${preview.practice}`} target="_blank">
            Try the editor
          </Anchor>{' '}
          with a challenge that is not part of the assessment.
        </Text>
      )}
      {preview.honour && (
        <div className={css.honour}>
          <Text size="sm" c="dimmed" mb={4}>
            Honour statement
          </Text>
          <Text className={css.said}>{preview.honour}</Text>
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

const VERDICTS = {
  after: 'You see your verdicts after you finish.',
  at_once: 'You see each verdict immediately.',
  never: 'Only the team sees your verdicts and your score.',
}

const outline = ({ title, items, minutes }: PreviewData['sections'][number]) => {
  const followUps = items.filter(each => each.is_follow_up).length
  const asked = followUps > 0 ? ` and ${pluralize(followUps, 'follow-up question')}` : ''
  return `${title}: ${pluralize(items.length - followUps, 'item')}${asked}${minutes === null ? '' : `, time limit ${pluralize(minutes, 'minute')}`}.`
}

const facts = (preview: PreviewData): string[] => [
  `You have ${pluralize(preview.minutes, 'minute')} from the start. The clock does not stop.`,
  ...preview.sections.map(outline),
  preview.attempts === 1 ? 'One attempt.' : `${preview.attempts} attempts.`,
  VERDICTS[preview.verdicts],
  ...(preview.opens_at ? [`You can start from ${formatMoment(preview.opens_at)}.`] : []),
  ...(preview.closes_at ? [`It closes for everyone on ${formatMoment(preview.closes_at)}.`] : []),
]
