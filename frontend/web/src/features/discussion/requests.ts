/** Requests for the discussion of a challenge. Every query key begins with 'discussion' and the slug. */
import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryClient,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { api, type Schemas, unwrap } from '@/api/client'

export type Comment = Schemas['CommentView']
export type Thread = Schemas['ThreadView']
export type Sort = 'votes' | 'newest'
type Pages = InfiniteData<Schemas['ThreadPage']>

export const discussion = (slug: string, sort: Sort) =>
  infiniteQueryOptions({
    queryKey: ['discussion', slug, sort],
    initialPageParam: '',
    queryFn: ({ pageParam: cursor }) =>
      unwrap(
        api.GET('/api/challenges/{slug}/comments', { params: { path: { slug }, query: { sort, cursor } } }),
      ),
    getNextPageParam: page => page.next_cursor,
  })

interface NewComment {
  text: string
  parent: string | null
  key: string
}

export function usePost(slug: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ text, parent, key }: NewComment) =>
      unwrap(
        api.POST('/api/challenges/{slug}/comments', {
          params: { path: { slug }, header: { 'idempotency-key': key } },
          body: { text, parent_id: parent },
        }),
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: ['discussion', slug] }),
  })
}

export function useEdit(slug: string, id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (text: string) =>
      unwrap(api.PUT('/api/comments/{comment_id}', { params: { path: { comment_id: id } }, body: { text } })),
    onSuccess: () => client.invalidateQueries({ queryKey: ['discussion', slug] }),
  })
}

export function useDelete(slug: string, id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () =>
      unwrap(api.DELETE('/api/comments/{comment_id}', { params: { path: { comment_id: id } } })),
    onSuccess: () => client.invalidateQueries({ queryKey: ['discussion', slug] }),
  })
}

/** Votes, or takes the vote back. The list keeps its order until it is loaded again, so that nothing moves under the pointer. */
export function useVote(slug: string, id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (on: boolean) => {
      const params = { params: { path: { comment_id: id } } }
      return unwrap(
        on
          ? api.PUT('/api/comments/{comment_id}/vote', params)
          : api.DELETE('/api/comments/{comment_id}/vote', params),
      )
    },
    onSuccess: vote => change(client, slug, id, vote),
  })
}

/** Hides a comment as a moderator, or restores it. */
export function useHide(slug: string, id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (hidden: boolean) =>
      unwrap(
        api.PUT('/api/admin/comments/{comment_id}/hidden', {
          params: { path: { comment_id: id } },
          body: { hidden },
        }),
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: ['discussion', slug] }),
  })
}

function change(client: QueryClient, slug: string, id: string, values: Partial<Comment>) {
  const changed = <T extends Comment>(each: T): T => (each.id === id ? { ...each, ...values } : each)
  client.setQueriesData<Pages>(
    { queryKey: ['discussion', slug] },
    found =>
      found && {
        ...found,
        pages: found.pages.map(page => ({
          ...page,
          items: page.items.map(each => changed({ ...each, replies: each.replies.map(changed) })),
        })),
      },
  )
}
