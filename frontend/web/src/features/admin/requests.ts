/** Queries of the admin area. All keys begin with 'admin', so that one invalidation refreshes the whole area. */
import { queryOptions, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from '@/api/client'
import type { Page } from '@/shared/ui/PagedList'

const OFTEN = 3_000

export const overview = queryOptions({
  queryKey: ['admin', 'overview'],
  queryFn: () => unwrap(api.GET('/api/admin/overview')),
})

export const nodes = queryOptions({
  queryKey: ['admin', 'nodes'],
  queryFn: () => unwrap(api.GET('/api/admin/nodes')),
  refetchInterval: OFTEN,
})

export const nodeTokens = queryOptions({
  queryKey: ['admin', 'node-tokens'],
  queryFn: () => unwrap(api.GET('/api/admin/node-tokens')),
})

export const queue = queryOptions({
  queryKey: ['admin', 'queue'],
  queryFn: () => unwrap(api.GET('/api/admin/queue')),
  refetchInterval: OFTEN,
})

export const catalogue = queryOptions({
  queryKey: ['admin', 'catalogue'],
  queryFn: () => unwrap(api.GET('/api/admin/catalogue')),
})

export const account = (id: string) =>
  queryOptions({
    queryKey: ['admin', 'account', id],
    queryFn: () =>
      unwrap(api.GET('/api/admin/accounts/{account_id}', { params: { path: { account_id: id } } })),
  })

export const finishedSubmissions = (slug: string) =>
  queryOptions({
    queryKey: ['admin', 'finished', slug],
    queryFn: () => unwrap(api.GET('/api/admin/finished/{slug}', { params: { path: { slug } } })),
  })

export const flaggedMeasurements = queryOptions({
  queryKey: ['admin', 'measurements'],
  queryFn: () => unwrap(api.GET('/api/admin/measurements')),
})

export const rejudges = queryOptions({
  queryKey: ['admin', 'rejudges'],
  queryFn: async () => (await unwrap(api.GET('/api/admin/rejudges'))).items,
  refetchInterval: OFTEN,
})

export function useAdminPages<T>(key: string[], load: (cursor: string) => Promise<Page<T>>) {
  return useInfiniteQuery({
    queryKey: ['admin', ...key],
    queryFn: ({ pageParam }) => load(pageParam),
    initialPageParam: '',
    getNextPageParam: (last: Page<T>) => last.next_cursor,
  })
}

/** A mutation that changes the site, then invalidates everything in the admin area. */
export function useAdminMutation<Given, Result>(act: (given: Given) => Promise<Result>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: act,
    onSuccess: () => client.invalidateQueries({ queryKey: ['admin'] }),
  })
}
