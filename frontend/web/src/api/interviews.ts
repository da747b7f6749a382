/** What is asked of the service for mock interviews. */
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { api, told } from './client'

const AGAIN_MS = 5_000
/** First words of the keys of what an interview closes while it runs. */
const CLOSED = ['way', 'hints', 'editorial', 'answers', 'attempts', 'attempt', 'cards']

/** An interview has begun or ended: what it closes is asked for anew. */
export function useDoors() {
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
    queryFn: async () => (await told(api.GET('/api/interviews', { params: { query: { limit: 10 } } }))).items,
  })

/** An interview; while it runs it is asked again and again, since another device may go on with it. */
export const interview = (id: string) =>
  queryOptions({
    queryKey: ['interview', id],
    staleTime: 0,
    queryFn: async () => {
      const found = await told(
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
