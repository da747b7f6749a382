import { Alert, Anchor, Button, Group, Paper, Text, Title } from '@mantine/core'
import type { Assessment } from '@/features/assessments'
import { pluralize } from '@/shared/format/numbers'
import { Markdown } from '@/shared/markdown/Markdown'
import css from './Builder.module.css'
import { POLICIES } from './plan/assistant'
import { type AvailableItems, useAvailableItems } from './plan/availableItems'
import { choiceTitle, type Form, nameOf, type Section, toForm } from './plan/form'
import { formatMoment } from './plan/localTime'
import { describeQuestion } from './plan/questions'
import { RECORDED_LABELS } from './plan/recorded'
import { describeRules } from './plan/submissionRules'
import { formatPointsRange, sectionTotals, totalsOf } from './plan/totals'
import { useAssessmentActions } from './useAssessmentActions'

const VERDICTS = {
  after: 'Verdicts are shown after the candidate finishes.',
  at_once: 'Verdicts are shown immediately.',
  never: 'Verdicts and scores are never shown to candidates.',
}

interface Props {
  teamId: string
  assessment: Assessment
  /** Whether the reader may restore the assessment. */
  author: boolean
}

/** A read-only plan, for reviewers and for archived assessments. */
export function ReadOnlyPlan({ teamId, assessment, author }: Props) {
  const things = useAvailableItems(teamId)
  const { restore, clone, error } = useAssessmentActions({ teamId, assessment })
  const form = assessment.plan ? toForm(assessment.plan) : null
  return (
    <>
      {assessment.state === 'archived' && (
        <Alert color="marigold" variant="light" mb="lg" title="This assessment is archived">
          <Text size="sm">It can no longer be started. Candidates who have already started can finish.</Text>
          {author && (
            <Group mt="sm">
              <Button size="xs" loading={restore.isPending} onClick={() => restore.mutate()}>
                Restore as draft
              </Button>
              <Button size="xs" variant="default" loading={clone.isPending} onClick={() => clone.mutate()}>
                Clone
              </Button>
            </Group>
          )}
          {error && <Text c="var(--g-bad)">{error.message}</Text>}
        </Alert>
      )}
      {form ? <Read form={form} things={things} /> : <Text c="dimmed">There is no plan yet.</Text>}
    </>
  )
}

function Read({ form, things }: { form: Form; things: AvailableItems | null }) {
  const { items, points } = totalsOf(form, things)
  const rules = [
    `${pluralize(form.minutes, 'minute')}, ${pluralize(items, 'item')}, ${formatPointsRange(points)}, ${pluralize(form.attempts, 'attempt')}.`,
    VERDICTS[form.verdicts],
    form.opens_at && `Opens ${formatMoment(form.opens_at)}.`,
    form.closes_at && `Closes ${formatMoment(form.closes_at)}.`,
    `A candidate’s name, answers and recorded activity are deleted ${pluralize(form.retention_days, 'day')} after they finish.`,
  ]
  const recorded = form.recorded.map(
    each => `${RECORDED_LABELS[each].name}: ${RECORDED_LABELS[each].sentence}`,
  )
  const texts = [
    ['Instructions', form.instructions],
    ['Allowed resources', form.allowed],
    ['Honour statement', form.honour],
    ['Recorded activity', recorded.join('\n')],
  ] as const
  return (
    <div className={css.read}>
      <Text>{rules.filter(Boolean).join(' ')}</Text>
      {form.sections.map((section, place) => (
        <ReadSection key={section.key} section={section} place={place} things={things} />
      ))}
      {texts
        .filter(([, text]) => text)
        .map(([name, text]) => (
          <section key={name}>
            <Title order={2} fz="1.15rem" mb="xs">
              {name}
            </Title>
            {name === 'Instructions' ? <Markdown source={text} /> : <Text className={css.said}>{text}</Text>}
          </section>
        ))}
    </div>
  )
}

function ReadSection({
  section,
  place,
  things,
}: {
  section: Section
  place: number
  things: AvailableItems | null
}) {
  const { items, points } = sectionTotals(section, things)
  const drawn = section.draw === null ? '' : `, drawn from ${section.items.length}`
  return (
    <Paper component="section" radius="md" p="lg" aria-label={`Section ${place + 1}: ${section.title}`}>
      <Group justify="space-between" align="baseline" mb="xs">
        <Title order={2} fz="1.15rem">
          {place + 1}. {section.title}
        </Title>
        <Text size="sm" c="dimmed">
          {pluralize(items, 'item')}
          {drawn}, {formatPointsRange(points)}
          {section.minutes !== null && `, time limit ${pluralize(section.minutes, 'minute')}`}
          {section.assistant !== 'none' && `, AI assistant: ${POLICIES[section.assistant].toLowerCase()}`}
        </Text>
      </Group>
      <ol className={css.plain}>
        {section.items.map(item => (
          <li key={item.key}>
            {item.choices.map((choice, at) => (
              <span key={nameOf(choice)}>
                {at > 0 && ' or '}
                <Anchor
                  href={things?.get(nameOf(choice))?.address || undefined}
                  inherit
                  target="_blank"
                  rel="noreferrer"
                >
                  {choiceTitle(choice, things)}
                </Anchor>
                {choice.variants && ' (one of its variants)'}
                {choice.question && ` (${describeQuestion(choice.question)})`}
              </span>
            ))}
            , {pluralize(item.points, 'point')}
            {describeRules(item) && `, ${describeRules(item)}`}
            {item.follow_up_points.length > 0 &&
              `, ${pluralize(item.follow_up_points.length, 'follow-up question')} for ${item.follow_up_points.join(' + ')} points`}
          </li>
        ))}
      </ol>
    </Paper>
  )
}
