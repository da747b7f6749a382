/** What is asked of the service for teams and their assessments. */
import { queryOptions } from '@tanstack/react-query'
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
