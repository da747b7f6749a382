/** Queries and mutations for rejudging a team's own challenge. */
import { queryOptions } from '@tanstack/react-query'
import { api, type Schemas, unwrap } from '@/api/client'
import { useTeamMutation, useTeamPages } from '@/api/teams'

export type Rejudge = Schemas['OwnRejudgeView']
export type Outcome = Schemas['OutcomeView']

/** Identifies the challenge. */
export interface Of {
  teamId: string
  id: string
}

const OFTEN = 1_500
const path = ({ teamId, id }: Of) => ({ team_id: teamId, challenge_id: id })
const key = ({ teamId, id }: Of) => ['team', teamId, 'challenges', id, 'rejudges']

export const isUndecided = (rejudge: Rejudge) => rejudge.state === 'trying' || rejudge.state === 'ready'

export const outdated = (of: Of) =>
  queryOptions({
    queryKey: [...key(of), 'outdated'],
    staleTime: 0,
    queryFn: () =>
      unwrap(
        api.GET('/api/teams/{team_id}/challenges/{challenge_id}/outdated', { params: { path: path(of) } }),
      ),
  })

export const rejudges = (of: Of) =>
  queryOptions({
    queryKey: [...key(of), 'list'],
    staleTime: 0,
    queryFn: async () => {
      const params = { path: path(of), query: { limit: 100 } }
      return (await unwrap(api.GET('/api/teams/{team_id}/challenges/{challenge_id}/rejudges', { params })))
        .items
    },
    refetchInterval: query => (query.state.data?.some(each => each.state === 'trying') ? OFTEN : false),
  })

export const useOutcomes = (of: Of, rejudge: Rejudge, changed: boolean) =>
  // Applying a rejudge computes its outcomes once more, so the state is part of the key.
  useTeamPages(
    of.teamId,
    ['challenges', of.id, 'rejudges', rejudge.id, rejudge.state, String(changed)],
    cursor =>
      unwrap(
        api.GET('/api/teams/{team_id}/challenges/{challenge_id}/rejudges/{rejudge_id}/outcomes', {
          params: { path: { ...path(of), rejudge_id: rejudge.id }, query: { changed, cursor } },
        }),
      ),
  )

export const useStartRejudge = (of: Of) =>
  useTeamMutation(of.teamId, (body: Schemas['NewOwnRejudge']) =>
    unwrap(
      api.POST('/api/teams/{team_id}/challenges/{challenge_id}/rejudges', {
        params: { path: path(of) },
        body,
      }),
    ),
  )

export const useDecideRejudge = (of: Of, rejudge: Rejudge) =>
  useTeamMutation(of.teamId, (deed: 'apply' | 'drop') => {
    const params = { path: { ...path(of), rejudge_id: rejudge.id } }
    const at = '/api/teams/{team_id}/challenges/{challenge_id}/rejudges/{rejudge_id}' as const
    return unwrap(deed === 'apply' ? api.POST(`${at}/apply`, { params }) : api.POST(`${at}/drop`, { params }))
  })

export const appliedTo = (teamId: string, assessmentId: string) =>
  queryOptions({
    queryKey: ['team', teamId, 'results', assessmentId, 'rejudges'],
    staleTime: 0,
    queryFn: async () => {
      const params = { path: { team_id: teamId, assessment_id: assessmentId } }
      const url = '/api/teams/{team_id}/assessments/{assessment_id}/rejudges'
      return (await unwrap(api.GET(url, { params }))).items
    },
  })

export const rejudgedOf = (teamId: string, assessmentId: string, participationId: string) =>
  queryOptions({
    queryKey: ['team', teamId, 'results', assessmentId, 'rejudges', participationId],
    staleTime: 0,
    queryFn: async () => {
      const params = {
        path: { team_id: teamId, assessment_id: assessmentId, participation_id: participationId },
      }
      const url =
        '/api/teams/{team_id}/assessments/{assessment_id}/participations/{participation_id}/rejudges'
      return (await unwrap(api.GET(url, { params }))).items
    },
  })
