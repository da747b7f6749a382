/** What is asked of the service for a team's webhooks and tokens. */
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, type Schemas, told } from '../api/client'

export type Webhook = Schemas['WebhookView']
export type Delivery = Schemas['DeliveryView']
export type Token = Schemas['TeamTokenView']
export type Event = Webhook['events'][number]
export type Scope = Token['scopes'][number]

export const EVENTS: [Event, string][] = [
  ['participation.started', 'Somebody starts'],
  ['participation.finished', 'Somebody finishes, or the time is over'],
  ['participation.judged', 'Everything is judged: the score is final'],
  ['decision.made', 'A reviewer decides about somebody'],
  ['score.changed', 'A rejudge of your own challenge changes a score'],
]

export const SCOPES: [Scope, string][] = [
  ['invite', 'Invite people, renew and revoke their links'],
  ['read_results', 'Read where people stand, and their scores'],
]

export const webhooks = (team: string) =>
  queryOptions({
    queryKey: ['team', team, 'connections', 'webhooks'],
    staleTime: 0,
    queryFn: async () =>
      (await told(api.GET('/api/teams/{team_id}/webhooks', { params: { path: { team_id: team } } }))).items,
  })

/** The newest lines of a log; asked again by itself while something in it is on its way. */
export const deliveries = (team: string, hook: string) =>
  queryOptions({
    queryKey: ['team', team, 'connections', 'log', hook],
    staleTime: 0,
    queryFn: async () =>
      (
        await told(
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
      (await told(api.GET('/api/teams/{team_id}/tokens', { params: { path: { team_id: team } } }))).items,
  })

/** Something that changes a team's connections; afterwards all of them are asked for anew. */
export function useDeed<Given, Told>(team: string, act: (given: Given) => Promise<Told>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: act,
    onSuccess: () => client.invalidateQueries({ queryKey: ['team', team, 'connections'] }),
  })
}
