/** Queries and mutations for a team's webhooks and tokens. */
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, type Schemas, unwrap } from '@/api/client'

export type Webhook = Schemas['WebhookView']
export type Delivery = Schemas['DeliveryView']
export type Token = Schemas['TeamTokenView']
export type Event = Webhook['events'][number]
export type Scope = Token['scopes'][number]

export const EVENTS: [Event, string][] = [
  ['participation.started', 'A candidate starts'],
  ['participation.finished', 'A candidate finishes, or their time is up'],
  ['participation.judged', 'All answers are judged and the score is final'],
  ['decision.made', 'A reviewer makes a decision'],
  ['score.changed', 'A rejudge of one of your challenges changes a score'],
]

export const SCOPES: [Scope, string][] = [
  ['invite', 'Invite candidates, and replace or revoke their links'],
  ['read_results', 'Read the progress and scores of candidates'],
]

export const webhooks = (team: string) =>
  queryOptions({
    queryKey: ['team', team, 'connections', 'webhooks'],
    staleTime: 0,
    queryFn: async () =>
      (await unwrap(api.GET('/api/teams/{team_id}/webhooks', { params: { path: { team_id: team } } }))).items,
  })

/** The newest entries of a delivery log. Refetches while a delivery is pending. */
export const deliveries = (team: string, hook: string) =>
  queryOptions({
    queryKey: ['team', team, 'connections', 'log', hook],
    staleTime: 0,
    queryFn: async () =>
      (
        await unwrap(
          api.GET('/api/teams/{team_id}/webhooks/{webhook_id}/deliveries', {
            params: { path: { team_id: team, webhook_id: hook }, query: { limit: 20 } },
          }),
        )
      ).items,
    refetchInterval: query =>
      query.state.data?.some(each => each.status === 'queued' && each.attempts === 0) ? 1_000 : 15_000,
  })

export const tokens = (team: string) =>
  queryOptions({
    queryKey: ['team', team, 'connections', 'tokens'],
    staleTime: 0,
    queryFn: async () =>
      (await unwrap(api.GET('/api/teams/{team_id}/tokens', { params: { path: { team_id: team } } }))).items,
  })

/** A mutation that changes a team's webhooks or tokens, then invalidates all of them. */
export function useConnectionsMutation<Given, Result>(team: string, act: (given: Given) => Promise<Result>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: act,
    onSuccess: () => client.invalidateQueries({ queryKey: ['team', team, 'connections'] }),
  })
}
