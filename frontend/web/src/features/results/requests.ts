/** Queries for the results of an assessment, and the types of their answers. */
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, type Schemas, unwrap } from '@/api/client'

export type Results = Schemas['Results']
export type Person = Schemas['PersonResult']
export type Item = Schemas['ItemFigures']
export type Similarity = Schemas['Similarity']
export type Pair = Schemas['SimilarPair']

export interface Where {
  teamId: string
  assessmentId: string
}
/** Which participations count. */
export interface Counting {
  version?: number
  attempts: Results['attempts']
}

const path = ({ teamId, assessmentId }: Where) => ({ team_id: teamId, assessment_id: assessmentId })
const key = (where: Where) => ['team', where.teamId, 'results', where.assessmentId]

export const results = (where: Where, query: Counting) =>
  queryOptions({
    queryKey: [...key(where), query],
    staleTime: 0,
    placeholderData: keepPreviousData,
    queryFn: () =>
      unwrap(
        api.GET('/api/teams/{team_id}/assessments/{assessment_id}/results', {
          params: { path: path(where), query },
        }),
      ),
  })

export const comparedAnswers = (where: Where, slug: string, people: string[]) =>
  queryOptions({
    queryKey: [...key(where), 'answers', slug, people],
    queryFn: async () => {
      const params = { path: { ...path(where), slug }, query: { participation: people } }
      const url = '/api/teams/{team_id}/assessments/{assessment_id}/results/answers/{slug}'
      return (await unwrap(api.GET(url, { params }))).items
    },
  })

export const similarity = (where: Where) =>
  queryOptions({
    queryKey: [...key(where), 'similarity'],
    staleTime: 0,
    queryFn: () =>
      unwrap(
        api.GET('/api/teams/{team_id}/assessments/{assessment_id}/similarity', {
          params: { path: path(where) },
        }),
      ),
  })

/** The pairs of the latest comparison that contain an answer of one candidate. */
export const candidateSimilarity = (where: Where, participationId: string) =>
  queryOptions({
    queryKey: [...key(where), 'similarity of', participationId],
    staleTime: 0,
    queryFn: () => {
      const params = { path: { ...path(where), participation_id: participationId } }
      const url =
        '/api/teams/{team_id}/assessments/{assessment_id}/participations/{participation_id}/similarity'
      return unwrap(api.GET(url, { params }))
    },
  })

export const pairInFull = (where: Where, pair: string) =>
  queryOptions({
    queryKey: [...key(where), 'similarity', pair],
    queryFn: () =>
      unwrap(
        api.GET('/api/teams/{team_id}/assessments/{assessment_id}/similarity/{pair_id}', {
          params: { path: { ...path(where), pair_id: pair } },
        }),
      ),
  })

/** Compares the answers, then invalidates everything that shows the comparison. */
export function useCompareAnswers(where: Where) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () =>
      unwrap(
        api.POST('/api/teams/{team_id}/assessments/{assessment_id}/similarity', {
          params: { path: path(where) },
        }),
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: key(where) }),
  })
}

/** The URL of an export of the results. */
export function exportUrl({ teamId, assessmentId }: Where, ending: string, { version, attempts }: Counting) {
  const query = new URLSearchParams({ attempts, ...(version && { version: String(version) }) })
  return `/api/teams/${teamId}/assessments/${assessmentId}/results.${ending}?${query}`
}
