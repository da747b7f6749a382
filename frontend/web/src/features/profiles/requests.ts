import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '@/api/client'

const SOON = 5_000

export const profile = (id: string) =>
  queryOptions({
    queryKey: ['profile', id],
    staleTime: SOON,
    queryFn: () => unwrap(api.GET('/api/profiles/{profile_id}', { params: { path: { profile_id: id } } })),
  })

export const listing = (account: string) =>
  queryOptions({ queryKey: ['listing', account], queryFn: () => unwrap(api.GET('/api/me/listing')) })
