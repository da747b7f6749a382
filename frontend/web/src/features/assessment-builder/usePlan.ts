/** The state of the plan editor: the edited plan, the saved plan, and conflicts with other authors. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useReducer, useState } from 'react'
import { ApiError } from '@/api/client'
import { assessment as assessmentQuery } from '@/api/teams'
import { useAvailableItems } from './plan/availableItems'
import { applyChange, type Change } from './plan/changes'
import { EMPTY, type Form, same, toForm } from './plan/form'
import { errorAt, type PlanError, validatePlan } from './plan/validation'
import { type Assessment, savePlan } from './requests'
import { readUnsavedPlan, storeUnsavedPlan } from './unsavedPlan'

interface State {
  form: Form
  /** What was removed last, for undo; cleared by the next change. */
  removed: { what: string; form: Form } | null
}
type Step = { change: Change; removes?: string }

function step({ form }: State, { change, removes }: Step): State {
  const next = applyChange(form, change)
  return { form: next, removed: removes ? { what: removes, form } : null }
}

const planOf = (assessment: Assessment) => (assessment.plan ? toForm(assessment.plan) : null)

export type PlanEditing = ReturnType<typeof usePlan>

export function usePlan(teamId: string, assessment: Assessment) {
  const client = useQueryClient()
  const things = useAvailableItems(teamId)
  const [stored] = useState(() => readUnsavedPlan(assessment.id))
  const [saved, setSaved] = useState(
    stored
      ? { version: stored.version, form: stored.base }
      : { version: assessment.version, form: planOf(assessment) },
  )
  const [state, dispatch] = useReducer(step, { form: stored?.form ?? saved.form ?? EMPTY, removed: null })
  const [theirs, setTheirs] = useState<Assessment | null>(null)
  const [tried, setTried] = useState(false)
  const [asking, setAsking] = useState(false)
  const { form } = state
  const dirty = !same(form, saved.form ?? EMPTY)
  const change = (change: Change, removes?: string) => dispatch({ change, removes })
  const takeOver = (view: Assessment, form: Form | null) => {
    setSaved({ version: view.version, form: planOf(view) })
    if (form) change({ do: 'load', form })
    setTheirs(null)
    setTried(false)
  }

  useEffect(() => {
    storeUnsavedPlan(assessment.id, dirty ? { version: saved.version, base: saved.form, form } : null)
  }, [assessment.id, dirty, saved, form])

  // Someone else saved and there are no local changes: take over the saved version.
  useEffect(() => {
    if (!dirty && assessment.version > saved.version) {
      setSaved({ version: assessment.version, form: planOf(assessment) })
      dispatch({ change: { do: 'load', form: planOf(assessment) ?? EMPTY } })
    }
  }, [assessment, dirty, saved])

  const saving = useMutation({
    mutationFn: (sent: Form) =>
      savePlan({ team_id: teamId, assessment_id: assessment.id }, saved.version, sent),
    onSuccess: ({ conflict, assessment: view }, sent) => {
      client.setQueryData(assessmentQuery(teamId, view.id).queryKey, view)
      if (conflict) setTheirs(view)
      // Keep changes made while the request was running.
      else takeOver(view, same(sent, form) ? planOf(view) : null)
    },
  })
  const { pinned } = assessment
  const faults = useMemo(() => validatePlan(form, things, pinned), [form, things, pinned])
  const refused = saving.error instanceof ApiError ? saving.error.fields : []
  const said = [
    ...refused.map(each => ({ ...each, field: each.field.replace(/^plan\./, ''), bars: true })),
    ...(dirty ? [] : assessment.problems.map(each => ({ ...each, bars: false }))),
  ]
  const shown: PlanError[] = [...faults.filter(each => !each.bars || tried), ...said]
  const bars = faults.some(each => each.bars)
  const save = () => {
    setTried(true)
    if (bars || !dirty || saving.isPending) return
    if (assessment.state === 'open') setAsking(true)
    else saving.mutate(form)
  }
  const confirmSave = () => {
    setAsking(false)
    saving.mutate(form)
  }
  return {
    assessment,
    teamId,
    things,
    form,
    dirty,
    restored: stored !== null && dirty && same(form, stored.form),
    removed: state.removed,
    /** The problems to show now, and everything that prevents opening. */
    faults: shown,
    all: [...faults, ...(same(saving.variables, form) ? said : [])],
    /** Warnings to read before opening; only known while the plan is saved. */
    warnings: dirty ? [] : assessment.warnings.map(each => ({ ...each, bars: false })),
    /** Whether the plan can be saved. */
    sound: !bars,
    problem: (field: string) => errorAt(shown, field),
    change,
    save,
    /** Whether the author must confirm that the plan of an open assessment changes. */
    asking,
    confirmSave,
    cancelSave: () => setAsking(false),
    saving,
    theirs,
    discard: () => change({ do: 'load', form: saved.form ?? EMPTY }),
    base: saved.form,
    settle: takeOver,
    closeConflict: () => setTheirs(null),
  }
}
