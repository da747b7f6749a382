/** Requests for bookmarks and notes. The query keys contain the account, so another account never sees cached data. */
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, type Schemas, unwrap } from '@/api/client'
import { useGuest, useMe } from '@/api/queries'

type Marks = Schemas['Marks']
const NONE: Marks = { bookmarks: [], notes: [] }

const marks = (account: string | undefined) =>
  queryOptions({
    queryKey: ['marks', account],
    enabled: account !== undefined,
    queryFn: () => unwrap(api.GET('/api/me/marks')),
  })

export const note = (account: string | undefined, slug: string) =>
  queryOptions({
    queryKey: ['note', account, slug],
    enabled: account !== undefined,
    queryFn: () => unwrap(api.GET('/api/me/notes/{slug}', { params: { path: { slug } } })),
  })

/** The marks of the current account; empty without an account and while loading. */
export const useMarks = (): Marks => useQuery(marks(useMe()?.id)).data ?? NONE

/** Adds or removes a bookmark, and shows it at once. A visitor without an account becomes a guest first. */
export function useBookmark(slug: string) {
  const client = useQueryClient()
  const guest = useGuest()
  const on = useMarks().bookmarks.includes(slug)
  const change = useMutation({
    mutationFn: async () => {
      await guest()
      const params = { params: { path: { slug } } }
      await unwrap(
        on ? api.DELETE('/api/me/bookmarks/{slug}', params) : api.PUT('/api/me/bookmarks/{slug}', params),
      )
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['marks'] }),
  })
  return { on: change.isPending ? !on : on, toggle: () => change.mutate() }
}

export function useSaveNote(slug: string) {
  const client = useQueryClient()
  const guest = useGuest()
  return useMutation({
    mutationFn: async (text: string) => {
      await guest()
      return unwrap(api.PUT('/api/me/notes/{slug}', { params: { path: { slug } }, body: { text } }))
    },
    onSuccess: saved => {
      const account = client.getQueryData<Schemas['AccountView'] | null>(['me'])?.id
      client.setQueryData(note(account, slug).queryKey, saved)
      client.invalidateQueries({ queryKey: ['marks'] })
    },
  })
}
