/** Queries for mock interviews. */
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { api, unwrap } from '@/api/client'

const AGAIN_MS = 5_000
/** First elements of the query keys of content that is locked during an interview. */
const CLOSED = ['challenge-progress', 'hints', 'editorial', 'answers', 'attempts', 'attempt', 'cards']

/** Returns a callback for when an interview has started or ended: it resets the queries of locked content. */
export function useResetLockedContent() {
  const client = useQueryClient()
  return useCallback(() => {
    for (const key of CLOSED) client.resetQueries({ queryKey: [key] })
  }, [client])
}

export const interviews = (known: boolean) =>
  queryOptions({
    queryKey: ['interviews'],
    enabled: known,
    staleTime: 0,
    queryFn: async () =>
      (await unwrap(api.GET('/api/interviews', { params: { query: { limit: 10 } } }))).items,
  })

/** An interview. Refetches while it runs, since the user may continue on another device. */
export const interview = (id: string) =>
  queryOptions({
    queryKey: ['interview', id],
    staleTime: 0,
    queryFn: async () => {
      const found = await unwrap(
        api.GET('/api/interviews/{interview_id}', { params: { path: { interview_id: id } } }),
      )
      return { ...found, skew: Date.parse(found.now) - Date.now() }
    },
    refetchInterval: query => {
      const found = query.state.data
      const open = !found?.ended_at || found.items.some(item => item.state === 'judging')
      return open ? AGAIN_MS : false
    },
  })
