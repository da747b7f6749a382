/** A plan at work: what is written, what is saved, and who else saved meanwhile. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useReducer, useState } from 'react'
import { Refusal } from '../api/client'
import { assessment as asked } from '../api/teams'
import { type Change, changed } from './changes'
import { at, type Fault, faultsOf } from './faults'
import { EMPTY, type Form, formOf, same } from './form'
import { keep, keptOf } from './kept'
import { type Assessment, savePlan } from './requests'
import { useThings } from './things'

interface State {
  form: Form
  /** What was removed last, until something else changes. */
  removed: { what: string; form: Form } | null
}
type Step = { change: Change; removes?: string }

function step({ form }: State, { change, removes }: Step): State {
  const next = changed(form, change)
  return { form: next, removed: removes ? { what: removes, form } : null }
}

const planOf = (assessment: Assessment) => (assessment.plan ? formOf(assessment.plan) : null)

export type AtWork = ReturnType<typeof usePlan>

export function usePlan(teamId: string, assessment: Assessment) {
  const client = useQueryClient()
  const things = useThings(teamId)
  const [kept] = useState(() => keptOf(assessment.id))
  const [saved, setSaved] = useState(
    kept
      ? { version: kept.version, form: kept.base }
      : { version: assessment.version, form: planOf(assessment) },
  )
  const [state, dispatch] = useReducer(step, { form: kept?.form ?? saved.form ?? EMPTY, removed: null })
  const [theirs, setTheirs] = useState<Assessment | null>(null)
  const [tried, setTried] = useState(false)
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
    keep(assessment.id, dirty ? { version: saved.version, base: saved.form, form } : null)
  }, [assessment.id, dirty, saved, form])

  // Saved by somebody else while nothing was written here: that is what it is now.
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
      client.setQueryData(asked(teamId, view.id).queryKey, view)
      if (conflict) setTheirs(view)
      // What was written while it was under way stays.
      else takeOver(view, same(sent, form) ? planOf(view) : null)
    },
  })
  const faults = useMemo(() => faultsOf(form, things), [form, things])
  const refused = saving.error instanceof Refusal ? saving.error.fields : []
  const said = [
    ...refused.map(each => ({ ...each, field: each.field.replace(/^plan\./, ''), bars: true })),
    ...(dirty ? [] : assessment.problems.map(each => ({ ...each, bars: false }))),
  ]
  const shown: Fault[] = [...faults.filter(each => !each.bars || tried), ...said]
  const bars = faults.some(each => each.bars)
  const save = () => {
    setTried(true)
    if (!bars && dirty && !saving.isPending) saving.mutate(form)
  }
  return {
    assessment,
    teamId,
    things,
    form,
    dirty,
    restored: kept !== null && dirty && same(form, kept.form),
    removed: state.removed,
    /** What is to be told now, and all that keeps it from being opened. */
    faults: shown,
    all: [...faults, ...(same(saving.variables, form) ? said : [])],
    /** Whether it can be saved. */
    sound: !bars,
    problem: (field: string) => at(shown, field),
    change,
    save,
    saving,
    theirs,
    discard: () => change({ do: 'load', form: saved.form ?? EMPTY }),
    base: saved.form,
    settle: takeOver,
    closeConflict: () => setTheirs(null),
  }
}
