/** What the builder asks of the service. */
import { queryOptions } from '@tanstack/react-query'
import { api, type Schemas, told } from '../api/client'
import type { Form } from './form'

export type Assessment = Schemas['AssessmentView']
type Address = { team_id: string; assessment_id: string }

/** `conflict`: somebody else saved meanwhile, and `assessment` is what is there. */
export interface Saved {
  conflict: boolean
  assessment: Assessment
}

const ONE = '/api/teams/{team_id}/assessments/{assessment_id}'

/** Throws `Refusal`. */
export async function savePlan(path: Address, version: number, plan: Form): Promise<Saved> {
  const answer = api.PUT(`${ONE}/plan`, { params: { path }, body: { version, plan } })
  const { error } = await answer.catch(() => ({ error: undefined }))
  if (error && 'assessment' in error && error.assessment)
    return { conflict: true, assessment: error.assessment }
  return { conflict: false, assessment: await told(answer) }
}

export const acts = {
  open: (path: Address) => told(api.POST(`${ONE}/open`, { params: { path } })),
  archive: (path: Address) => told(api.POST(`${ONE}/archive`, { params: { path } })),
  restore: (path: Address) => told(api.POST(`${ONE}/restore`, { params: { path } })),
  clone: (path: Address) => told(api.POST(`${ONE}/clone`, { params: { path } })),
  rename: (path: Address, name: string) => told(api.PUT(ONE, { params: { path }, body: { name } })),
  erase: (path: Address) => told(api.DELETE(ONE, { params: { path } })),
}

/** What the candidate of a seed would be told and get. */
export const preview = (path: Address, seed: number) =>
  queryOptions({
    queryKey: ['team', path.team_id, 'assessment', path.assessment_id, 'preview', seed],
    staleTime: 0,
    queryFn: () => told(api.GET(`${ONE}/preview`, { params: { path, query: { seed } } })),
  })
