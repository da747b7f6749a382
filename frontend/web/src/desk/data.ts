/** What the desk asks of the service. Everything is kept under 'desk', so that one deed refreshes all of it. */
import { queryOptions, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, told } from '../api/client'
import type { Page } from '../parts/Pages'

const OFTEN = 3_000

export const overview = queryOptions({
  queryKey: ['desk', 'overview'],
  queryFn: () => told(api.GET('/api/admin/overview')),
})

export const nodes = queryOptions({
  queryKey: ['desk', 'nodes'],
  queryFn: () => told(api.GET('/api/admin/nodes')),
  refetchInterval: OFTEN,
})

export const nodeTokens = queryOptions({
  queryKey: ['desk', 'node-tokens'],
  queryFn: () => told(api.GET('/api/admin/node-tokens')),
})

export const queue = queryOptions({
  queryKey: ['desk', 'queue'],
  queryFn: () => told(api.GET('/api/admin/queue')),
  refetchInterval: OFTEN,
})

export const catalogue = queryOptions({
  queryKey: ['desk', 'catalogue'],
  queryFn: () => told(api.GET('/api/admin/catalogue')),
})

export const account = (id: string) =>
  queryOptions({
    queryKey: ['desk', 'account', id],
    queryFn: () =>
      told(api.GET('/api/admin/accounts/{account_id}', { params: { path: { account_id: id } } })),
  })

export const finished = (slug: string) =>
  queryOptions({
    queryKey: ['desk', 'finished', slug],
    queryFn: () => told(api.GET('/api/admin/finished/{slug}', { params: { path: { slug } } })),
  })

export const rejudges = queryOptions({
  queryKey: ['desk', 'rejudges'],
  queryFn: async () => (await told(api.GET('/api/admin/rejudges'))).items,
  refetchInterval: OFTEN,
})

/** A list that comes page by page. */
export function usePages<T>(key: string[], load: (cursor: string) => Promise<Page<T>>) {
  return useInfiniteQuery({
    queryKey: ['desk', ...key],
    queryFn: ({ pageParam }) => load(pageParam),
    initialPageParam: '',
    getNextPageParam: (last: Page<T>) => last.next_cursor,
  })
}

/** Something that changes the site; afterwards everything on the desk is asked for anew. */
export function useDeed<Given, Told>(act: (given: Given) => Promise<Told>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: act,
    onSuccess: () => client.invalidateQueries({ queryKey: ['desk'] }),
  })
}
