import { Button, Title } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { Broken } from '../parts/States'
import type { Assessment } from '../team/AssessmentFrame'
import css from './Builder.module.css'
import { Conflict } from './Conflict'
import { changed } from './changes'
import { PlanContext } from './context'
import { MOST } from './form'
import { Glance } from './Glance'
import { Leaving } from './Leaving'
import { focusOn } from './Moves'
import { Recording } from './Recording'
import { SaveBar } from './SaveBar'
import { SectionCard } from './SectionCard'
import { Starts } from './Starts'
import { Times } from './Times'
import { useMissing } from './things'
import { type AtWork, usePlan } from './usePlan'
import { Words } from './Words'

/** Where an assessment is written. */
export function Builder({ teamId, assessment }: { teamId: string; assessment: Assessment }) {
  const work = usePlan(teamId, assessment)
  useHotkeys([['mod+S', work.save]], [], true)
  const missing = useMissing(teamId)
  const begun = work.dirty || work.base !== null
  return (
    <PlanContext value={work}>
      <Leaving />
      {work.theirs && <Conflict theirs={work.theirs} />}
      {missing && <Broken {...missing} />}
      {begun ? (
        <div className={css.page}>
          <div className={css.parts}>
            <Sections work={work} />
            <Times />
            <Words />
            <Recording />
          </div>
          <aside className={css.aside} aria-label="State of the plan">
            <Glance />
            <SaveBar />
          </aside>
        </div>
      ) : (
        <Starts />
      )}
    </PlanContext>
  )
}

function Sections({ work }: { work: AtWork }) {
  const { form, change, problem } = work
  const add = () => {
    const made = changed(form, { do: 'add section' })
    change({ do: 'load', form: made })
    focusOn(`section-${made.sections.at(-1)?.key}-title`)
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
        disabled={form.sections.length >= MOST.sections}
        onClick={add}
      >
        Add a section
      </Button>
      {problem('sections') && <p className={css.problem}>{problem('sections')}</p>}
    </section>
  )
}
