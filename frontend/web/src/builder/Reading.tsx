import { Alert, Anchor, Button, Group, Paper, Text, Title } from '@mantine/core'
import { Markdown } from '../parts/Markdown'
import type { Assessment } from '../team/AssessmentFrame'
import { many } from '../team/words'
import css from './Builder.module.css'
import { type Form, formOf, nameOf, type Section } from './form'
import { moment } from './moments'
import { pointsTold, reckon, reckonSection } from './reckon'
import { HABITS } from './recorded'
import { type Things, useThings } from './things'
import { useActs } from './useActs'

interface Props {
  teamId: string
  assessment: Assessment
  /** Whether who reads it may restore it. */
  author: boolean
}

/** A plan to read: for reviewers, and of what is archived. */
export function Reading({ teamId, assessment, author }: Props) {
  const things = useThings(teamId)
  const { restore, clone, error } = useActs({ teamId, assessment })
  const form = assessment.plan ? formOf(assessment.plan) : null
  return (
    <>
      {assessment.state === 'archived' && (
        <Alert color="marigold" variant="light" mb="lg" title="This assessment is archived">
          <Text size="sm">Nobody starts with it any more. Who has started goes on.</Text>
          {author && (
            <Group mt="sm">
              <Button size="xs" loading={restore.isPending} onClick={() => restore.mutate()}>
                Restore as a draft
              </Button>
              <Button size="xs" variant="default" loading={clone.isPending} onClick={() => clone.mutate()}>
                Clone
              </Button>
            </Group>
          )}
          {error && <Text c="var(--g-bad)">{error.message}</Text>}
        </Alert>
      )}
      {form ? <Read form={form} things={things} /> : <Text c="dimmed">Nothing is planned yet.</Text>}
    </>
  )
}

function Read({ form, things }: { form: Form; things: Things | null }) {
  const { items, points } = reckon(form, things)
  const rules = [
    `${many(form.minutes, 'minute')}, ${many(items, 'item')}, ${pointsTold(points)}, ${many(form.attempts, 'attempt')}.`,
    form.verdicts === 'after' ? 'Verdicts are shown after the end.' : 'Verdicts are shown at once.',
    form.opens_at && `Opens ${moment(form.opens_at)}.`,
    form.closes_at && `Closes ${moment(form.closes_at)}.`,
    `Everything is erased ${many(form.retention_days, 'day')} after the end.`,
  ]
  const recorded = form.recorded.map(each => `${HABITS[each].name}: ${HABITS[each].sentence}`)
  const texts = [
    ['Instructions', form.instructions],
    ['What is allowed', form.allowed],
    ['Honour statement', form.honour],
    ['What is recorded', recorded.join('\n')],
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

function ReadSection({ section, place, things }: { section: Section; place: number; things: Things | null }) {
  const { items, points } = reckonSection(section, things)
  const drawn = section.draw === null ? '' : ` of ${section.items.length}, drawn`
  return (
    <Paper component="section" radius="md" p="lg" aria-label={`Section ${place + 1}: ${section.title}`}>
      <Group justify="space-between" align="baseline" mb="xs">
        <Title order={2} fz="1.15rem">
          {place + 1}. {section.title}
        </Title>
        <Text size="sm" c="dimmed">
          {many(items, 'item')}
          {drawn}, {pointsTold(points)}
          {section.minutes !== null && `, ${many(section.minutes, 'minute')} of its own`}
        </Text>
      </Group>
      <ol className={css.plain}>
        {section.items.map(item => (
          <li key={item.key}>
            {item.choices.map((choice, at) => (
              <span key={nameOf(choice)}>
                {at > 0 && ' or '}
                <Anchor href={things?.get(nameOf(choice))?.address} inherit target="_blank" rel="noreferrer">
                  {things?.get(nameOf(choice))?.title ?? choice.name}
                </Anchor>
              </span>
            ))}
            , {many(item.points, 'point')}
          </li>
        ))}
      </ol>
    </Paper>
  )
}
