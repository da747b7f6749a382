import { Button, Title } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import type { Assessment } from '@/features/assessments'
import { ErrorMessage } from '@/shared/ui/QueryStates'
import css from './Builder.module.css'
import { PlanContext } from './context'
import { focusAfter } from './items/MoveButtons'
import { SectionCard } from './items/SectionCard'
import { Templates } from './items/Templates'
import { useMissingItems } from './plan/availableItems'
import { applyChange } from './plan/changes'
import { LIMITS } from './plan/form'
import { Conflict } from './saving/Conflict'
import { PlanSummary } from './saving/PlanSummary'
import { SaveBar } from './saving/SaveBar'
import { UnsavedChangesPrompt } from './saving/UnsavedChangesPrompt'
import { CandidateTexts } from './settings/CandidateTexts'
import { Recording } from './settings/Recording'
import { TimeSettings } from './settings/TimeSettings'
import { type PlanEditing, usePlan } from './usePlan'

/** The editor of an assessment's plan. */
export function Builder({ teamId, assessment }: { teamId: string; assessment: Assessment }) {
  const work = usePlan(teamId, assessment)
  useHotkeys([['mod+S', work.save]], [], true)
  const missing = useMissingItems(teamId)
  const begun = work.dirty || work.base !== null
  return (
    <PlanContext value={work}>
      <UnsavedChangesPrompt />
      {work.theirs && <Conflict theirs={work.theirs} />}
      {missing && <ErrorMessage {...missing} />}
      {begun ? (
        <div className={css.page}>
          <div className={css.parts}>
            <Sections work={work} />
            <TimeSettings />
            <CandidateTexts />
            <Recording />
          </div>
          <aside className={css.aside} aria-label="Plan summary">
            <PlanSummary />
            <SaveBar />
          </aside>
        </div>
      ) : (
        <Templates />
      )}
    </PlanContext>
  )
}

function Sections({ work }: { work: PlanEditing }) {
  const { form, change, problem } = work
  const add = () => {
    const made = applyChange(form, { do: 'add section' })
    focusAfter(() => change({ do: 'load', form: made }), `section-${made.sections.at(-1)?.key}-title`)
  }
  return (
    <section aria-labelledby="sections">
      <Title order={2} id="sections" fz="1.3rem" mb="sm">
        Sections
      </Title>
      {form.sections.map((section, place) => (
        <SectionCard key={section.key} section={section} place={place} />
      ))}
      <Button
        id="add-section"
        variant="default"
        leftSection={<IconPlus size={16} />}
        disabled={form.sections.length >= LIMITS.sections}
        onClick={add}
      >
        Add section
      </Button>
      {problem('sections') && <p className={css.problem}>{problem('sections')}</p>}
    </section>
  )
}
