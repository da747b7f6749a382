/** What is asked of the service for teams and their assessments. */
import {
  keepPreviousData,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { api, told } from './client'

export const teams = (known: boolean) =>
  queryOptions({
    queryKey: ['teams'],
    enabled: known,
    staleTime: 0,
    queryFn: async () => (await told(api.GET('/api/teams'))).items,
  })

export const team = (id: string) =>
  queryOptions({
    queryKey: ['team', id],
    staleTime: 0,
    queryFn: () => told(api.GET('/api/teams/{team_id}', { params: { path: { team_id: id } } })),
  })

export const assessment = (teamId: string, id: string) =>
  queryOptions({
    queryKey: ['team', teamId, 'assessment', id],
    staleTime: 0,
    queryFn: () =>
      told(
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
      (await told(api.GET('/api/teams/{team_id}/members', { params: { path: { team_id: teamId } } }))).items,
  })

/** A list of a team's that comes page by page. What was there stays until another selection has come. */
export const useTeamPages = <T>(
  teamId: string,
  key: string[],
  load: (cursor: string) => Promise<{ items: T[]; next_cursor: string | null }>,
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
 * Something that changes a team or what belongs to it; afterwards all of it is asked for anew. `done` comes first: what is shown
 * anew may have no place any more for whoever asked, and what is given to `mutate` is then never called.
 */
export function useTeamDeed<Given, Told>(
  teamId: string,
  act: (given: Given) => Promise<Told>,
  done?: (told: Told) => void,
) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: act,
    onSuccess: told => {
      done?.(told)
      return Promise.all([
        client.invalidateQueries({ queryKey: ['team', teamId] }),
        client.invalidateQueries({ queryKey: ['teams'] }),
      ])
    },
  })
}

/** What the link of an invitation to a team offers. */
export const offer = (token: string) =>
  queryOptions({
    queryKey: ['team-offer', token],
    staleTime: 0,
    queryFn: () => told(api.POST('/api/team-invitations/read', { body: { token } })),
  })
