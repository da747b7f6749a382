/** Queries and mutations for a team's own challenges. */
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, type Schemas, unwrap } from '@/api/client'

export type TeamChallenge = Schemas['OwnView']
export type TeamChallengeCard = Schemas['OwnCard']
export type GateReportView = Schemas['GateReport']
type Action = 'gate' | 'publish' | 'publish unproven' | 'archive' | 'archive anyway' | 'restore'

const OFTEN = 1_500
const PAGE = 100

export const isGateRunning = (gate: TeamChallengeCard['gate']) => gate === 'waiting' || gate === 'running'

export const teamChallenges = (teamId: string) =>
  queryOptions({
    queryKey: ['team', teamId, 'challenges'],
    staleTime: 0,
    queryFn: async () => {
      const items: TeamChallengeCard[] = []
      let cursor: string | null = ''
      while (cursor !== null) {
        const params: { path: { team_id: string }; query: { limit: number; cursor: string } } = {
          path: { team_id: teamId },
          query: { limit: PAGE, cursor },
        }
        const page: Schemas['OwnPage'] = await unwrap(api.GET('/api/teams/{team_id}/challenges', { params }))
        items.push(...page.items)
        cursor = page.next_cursor
      }
      return items
    },
    refetchInterval: query => (query.state.data?.some(one => isGateRunning(one.gate)) ? OFTEN : false),
  })

export const teamChallenge = (teamId: string, id: string) =>
  queryOptions({
    queryKey: ['team', teamId, 'challenges', id],
    staleTime: 0,
    queryFn: () =>
      unwrap(
        api.GET('/api/teams/{team_id}/challenges/{challenge_id}', {
          params: { path: { team_id: teamId, challenge_id: id } },
        }),
      ),
    refetchInterval: query => (query.state.data && isGateRunning(query.state.data.gate) ? OFTEN : false),
  })

/** A mutation that changes a challenge; the response replaces the cached challenge. */
function useChange<Given>(teamId: string, id: string, change: (given: Given) => Promise<TeamChallenge>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: found => {
      const { queryKey } = teamChallenge(teamId, id)
      client.setQueryData(queryKey, found)
      // Which answers count by an older version depends on the published version.
      return client.invalidateQueries({ queryKey: [...queryKey, 'rejudges'] })
    },
  })
}

export const useSaveVersion = (teamId: string, id: string) =>
  useChange(teamId, id, (body: Schemas['NewFiles']) =>
    unwrap(
      api.PUT('/api/teams/{team_id}/challenges/{challenge_id}/files', {
        params: { path: { team_id: teamId, challenge_id: id } },
        body,
      }),
    ),
  )

export const useChallengeAction = (teamId: string, id: string) =>
  useChange(teamId, id, (action: Action) => {
    const params = { path: { team_id: teamId, challenge_id: id } }
    if (action === 'gate')
      return unwrap(api.POST('/api/teams/{team_id}/challenges/{challenge_id}/gate', { params }))
    if (action === 'publish' || action === 'publish unproven') {
      const query = { unproven: action === 'publish unproven' }
      return unwrap(
        api.POST('/api/teams/{team_id}/challenges/{challenge_id}/publish', { params: { ...params, query } }),
      )
    }
    if (action === 'archive' || action === 'archive anyway') {
      const query = { anyway: action === 'archive anyway' }
      return unwrap(
        api.POST('/api/teams/{team_id}/challenges/{challenge_id}/archive', { params: { ...params, query } }),
      )
    }
    return unwrap(api.POST('/api/teams/{team_id}/challenges/{challenge_id}/restore', { params }))
  })
