/** What is asked of the service for a team's own challenges. */
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, type Schemas, told } from '../api/client'

export type Own = Schemas['OwnView']
export type Card = Schemas['OwnCard']
export type Report = Schemas['GateReport']
type Deed = 'gate' | 'publish' | 'archive' | 'restore'

const OFTEN = 1_500
const PAGE = 100

export const underWay = (gate: Card['gate']) => gate === 'waiting' || gate === 'running'

export const ownChallenges = (teamId: string) =>
  queryOptions({
    queryKey: ['team', teamId, 'challenges'],
    staleTime: 0,
    queryFn: async () => {
      const items: Card[] = []
      let cursor: string | null = ''
      while (cursor !== null) {
        const params: { path: { team_id: string }; query: { limit: number; cursor: string } } = {
          path: { team_id: teamId },
          query: { limit: PAGE, cursor },
        }
        const page: Schemas['OwnPage'] = await told(api.GET('/api/teams/{team_id}/challenges', { params }))
        items.push(...page.items)
        cursor = page.next_cursor
      }
      return items
    },
    refetchInterval: query => (query.state.data?.some(one => underWay(one.gate)) ? OFTEN : false),
  })

export const ownChallenge = (teamId: string, id: string) =>
  queryOptions({
    queryKey: ['team', teamId, 'challenges', id],
    staleTime: 0,
    queryFn: () =>
      told(
        api.GET('/api/teams/{team_id}/challenges/{challenge_id}', {
          params: { path: { team_id: teamId, challenge_id: id } },
        }),
      ),
    refetchInterval: query => (query.state.data && underWay(query.state.data.gate) ? OFTEN : false),
  })

/** What changes a challenge; its page then shows what the service answered. */
function useChange<Given>(teamId: string, id: string, change: (given: Given) => Promise<Own>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: found => {
      const { queryKey } = ownChallenge(teamId, id)
      client.setQueryData(queryKey, found)
      // Which answers count by an older version depends on what is published now.
      return client.invalidateQueries({ queryKey: [...queryKey, 'rejudges'] })
    },
  })
}

export const useSave = (teamId: string, id: string) =>
  useChange(teamId, id, (body: Schemas['NewFiles']) =>
    told(
      api.PUT('/api/teams/{team_id}/challenges/{challenge_id}/files', {
        params: { path: { team_id: teamId, challenge_id: id } },
        body,
      }),
    ),
  )

export const useDeed = (teamId: string, id: string) =>
  useChange(teamId, id, (deed: Deed) => {
    const params = { path: { team_id: teamId, challenge_id: id } }
    if (deed === 'gate')
      return told(api.POST('/api/teams/{team_id}/challenges/{challenge_id}/gate', { params }))
    if (deed === 'publish')
      return told(api.POST('/api/teams/{team_id}/challenges/{challenge_id}/publish', { params }))
    if (deed === 'archive')
      return told(api.POST('/api/teams/{team_id}/challenges/{challenge_id}/archive', { params }))
    return told(api.POST('/api/teams/{team_id}/challenges/{challenge_id}/restore', { params }))
  })
