import { queryOptions } from '@tanstack/react-query'
import { ApiError, api, type Schemas, unwrap } from '@/api/client'
import type { Form } from './plan/form'

export type Assessment = Schemas['AssessmentView']
type Address = { team_id: string; assessment_id: string }

/** `conflict`: someone else saved in the meantime; `assessment` is the stored version. */
export interface Saved {
  conflict: boolean
  assessment: Assessment
}

const ONE = '/api/teams/{team_id}/assessments/{assessment_id}'

/** Throws `ApiError`. */
export async function savePlan(path: Address, version: number, plan: Form): Promise<Saved> {
  const answer = api.PUT(`${ONE}/plan`, { params: { path }, body: { version, plan } })
  const { error } = await answer.catch(() => ({ error: undefined }))
  if (error && 'assessment' in error && error.assessment)
    return { conflict: true, assessment: error.assessment }
  return { conflict: false, assessment: await unwrap(answer) }
}

export const assessmentActions = {
  open: (path: Address) => unwrap(api.POST(`${ONE}/open`, { params: { path } })),
  restore: (path: Address) => unwrap(api.POST(`${ONE}/restore`, { params: { path } })),
  clone: (path: Address) => unwrap(api.POST(`${ONE}/clone`, { params: { path } })),
  rename: (path: Address, name: string) => unwrap(api.PUT(ONE, { params: { path }, body: { name } })),
  erase: (path: Address) => unwrap(api.DELETE(ONE, { params: { path } })),
}

/** The challenges that have variants. Reviewers, who edit no plans, get none. */
export const challengeVariants = (teamId: string) =>
  queryOptions({
    queryKey: ['team', teamId, 'variants'],
    queryFn: async () => {
      const params = { path: { team_id: teamId } }
      try {
        return (await unwrap(api.GET('/api/teams/{team_id}/challenge-variants', { params }))).items
      } catch (error) {
        if (error instanceof ApiError && error.status === 403) return []
        throw error
      }
    },
  })

/** A variant of a challenge, as candidates see it. */
export const challengeVariant = (teamId: string, slug: string, variant: string) =>
  queryOptions({
    queryKey: ['team', teamId, 'variants', slug, variant],
    queryFn: () => {
      const params = { path: { team_id: teamId, slug, variant } }
      return unwrap(api.GET('/api/teams/{team_id}/challenge-variants/{slug}/{variant}', { params }))
    },
  })

/** What the candidate with this seed would read and get. */
export const preview = (path: Address, seed: number) =>
  queryOptions({
    queryKey: ['team', path.team_id, 'assessment', path.assessment_id, 'preview', seed],
    staleTime: 0,
    queryFn: () => unwrap(api.GET(`${ONE}/preview`, { params: { path, query: { seed } } })),
  })

/** Creates a link with which the member takes the assessment as a test. */
export const startTestDrive = (path: Address) => unwrap(api.POST(`${ONE}/test-drives`, { params: { path } }))

/** The test drives that members of the team have started. */
export const testDrives = (path: Address) =>
  queryOptions({
    queryKey: ['team', path.team_id, 'assessment', path.assessment_id, 'test-drives'],
    staleTime: 0,
    queryFn: async () => (await unwrap(api.GET(`${ONE}/test-drives`, { params: { path } }))).items,
  })

/** How the team's candidates have done with each item so far. */
export const itemHistory = (teamId: string) =>
  queryOptions({
    queryKey: ['team', teamId, 'item-history'],
    queryFn: async () =>
      (await unwrap(api.GET('/api/teams/{team_id}/item-history', { params: { path: { team_id: teamId } } })))
        .items,
  })

/** The ready-made assessments, in order. */
export const readyMade = (teamId: string) =>
  queryOptions({
    queryKey: ['team', teamId, 'ready-made'],
    queryFn: async () => {
      const params = { path: { team_id: teamId } }
      return (await unwrap(api.GET('/api/teams/{team_id}/ready-made-assessments', { params }))).items
    },
  })

/** The assistant that this site can provide; null if its operator has set up none. */
export const offeredAssistant = (teamId: string) =>
  queryOptions({
    queryKey: ['team', teamId, 'assistant'],
    queryFn: async () =>
      (await unwrap(api.GET('/api/teams/{team_id}/assistant', { params: { path: { team_id: teamId } } })))
        .assistant,
  })
