/** Requests for bookmarks and notes. The query keys contain the account, so another account never sees cached data. */
import { queryOptions, useMutation, useMutationState, useQuery, useQueryClient } from '@tanstack/react-query'
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

interface Change {
  slug: string
  on: boolean
}
const CHANGE = ['bookmark']

/**
 * Which challenges have a bookmark, and how to add or remove one. A change shows at once. A visitor without an account becomes a
 * guest first.
 */
export function useBookmarks() {
  const client = useQueryClient()
  const guest = useGuest()
  const { bookmarks } = useMarks()
  const pending = useMutationState({
    filters: { mutationKey: CHANGE, status: 'pending' },
    select: ({ state }) => state.variables as Change,
  })
  const { mutate } = useMutation({
    mutationKey: CHANGE,
    mutationFn: async ({ slug, on }: Change) => {
      await guest()
      const params = { params: { path: { slug } } }
      await unwrap(
        on ? api.PUT('/api/me/bookmarks/{slug}', params) : api.DELETE('/api/me/bookmarks/{slug}', params),
      )
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['marks'] }),
  })
  const isOn = (slug: string) => pending.findLast(each => each.slug === slug)?.on ?? bookmarks.includes(slug)
  return { isOn, change: mutate }
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
