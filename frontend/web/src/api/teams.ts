/** Queries for teams and their assessments. */
import {
  keepPreviousData,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { api, unwrap } from './client'

export const teams = (known: boolean) =>
  queryOptions({
    queryKey: ['teams'],
    enabled: known,
    staleTime: 0,
    queryFn: async () => (await unwrap(api.GET('/api/teams'))).items,
  })

export const team = (id: string) =>
  queryOptions({
    queryKey: ['team', id],
    staleTime: 0,
    queryFn: () => unwrap(api.GET('/api/teams/{team_id}', { params: { path: { team_id: id } } })),
  })

export const assessment = (teamId: string, id: string) =>
  queryOptions({
    queryKey: ['team', teamId, 'assessment', id],
    staleTime: 0,
    queryFn: () =>
      unwrap(
        api.GET('/api/teams/{team_id}/assessments/{assessment_id}', {
          params: { path: { team_id: teamId, assessment_id: id } },
        }),
      ),
  })

export const members = (teamId: string) =>
  queryOptions({
    queryKey: ['team', teamId, 'members'],
    staleTime: 0,
    queryFn: async () =>
      (await unwrap(api.GET('/api/teams/{team_id}/members', { params: { path: { team_id: teamId } } })))
        .items,
  })

/** A paginated list of a team. The previous items stay on screen until the new selection has loaded. */
export const useTeamPages = <Page extends { items: unknown[]; next_cursor: string | null }>(
  teamId: string,
  key: string[],
  load: (cursor: string) => Promise<Page>,
) =>
  useInfiniteQuery({
    queryKey: ['team', teamId, ...key],
    staleTime: 0,
    placeholderData: keepPreviousData,
    queryFn: ({ pageParam }) => load(pageParam),
    initialPageParam: '',
    getNextPageParam: last => last.next_cursor,
  })

/**
 * A mutation that changes a team or its data, then invalidates all of it. `done` runs before the invalidation: the refreshed page
 * may unmount the caller, and callbacks passed to `mutate` would then never run.
 */
export function useTeamMutation<Given, Result>(
  teamId: string,
  act: (given: Given) => Promise<Result>,
  done?: (result: Result) => void,
) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: act,
    onSuccess: result => {
      done?.(result)
      return Promise.all([
        client.invalidateQueries({ queryKey: ['team', teamId] }),
        client.invalidateQueries({ queryKey: ['teams'] }),
      ])
    },
  })
}

/** The team and role that an invitation link offers. */
export const teamInvitation = (token: string) =>
  queryOptions({
    queryKey: ['team-offer', token],
    staleTime: 0,
    queryFn: () => unwrap(api.POST('/api/team-invitations/read', { body: { token } })),
  })
