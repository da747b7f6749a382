import { type InfiniteData, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, type Schemas, unwrap } from '@/api/client'
import { shared } from '@/api/queries'

type Pages = InfiniteData<Schemas['SharedPage']>

/** Votes for a shared answer, or takes the vote back. Lists keep their order until they are loaded again. */
export function useSharedVote(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (on: boolean) => {
      const params = { params: { path: { shared_id: id } } }
      return unwrap(
        on
          ? api.PUT('/api/shared/{shared_id}/vote', params)
          : api.DELETE('/api/shared/{shared_id}/vote', params),
      )
    },
    onSuccess: vote => {
      const changed = (each: Schemas['SharedCard']) => (each.id === id ? { ...each, ...vote } : each)
      client.setQueryData(shared(id).queryKey, found => found && { ...found, ...vote })
      client.setQueriesData<Pages>(
        { queryKey: ['answers'] },
        found =>
          found && {
            ...found,
            pages: found.pages.map(page => ({ ...page, items: page.items.map(changed) })),
          },
      )
    },
  })
}
