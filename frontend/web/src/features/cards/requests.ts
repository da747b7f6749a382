/** Queries and mutations for reviewing cards. */
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, type Schemas, unwrap } from '@/api/client'
import { useGuest } from '@/api/queries'

export type Deck = { deck: 'all' | 'mine' | 'section' | 'track' | 'missed'; name: string }
export type Grade = Schemas['NewReview']['rating']

const SOON_MS = 20_000

/** Today's cards of a deck, in the browser's time zone. Refetches while the only cards left are due within minutes. */
export const cardSession = ({ deck, name }: Deck, ahead: boolean, known: boolean) =>
  queryOptions({
    queryKey: ['cards', deck, name, ahead],
    enabled: known,
    staleTime: 0,
    queryFn: () => {
      const offset = -new Date().getTimezoneOffset()
      return unwrap(api.GET('/api/cards', { params: { query: { deck, name, ahead, offset } } }))
    },
    refetchInterval: query => (query.state.data?.waiting && !query.state.data.cards.length ? SOON_MS : false),
  })

export const suspendedCards = queryOptions({
  queryKey: ['cards', 'suspended'],
  queryFn: async () =>
    (await unwrap(api.GET('/api/cards/suspended', { params: { query: { limit: 100 } } }))).items,
})

export const topicCards = (id: string, known: boolean) =>
  queryOptions({
    queryKey: ['cards', 'of', id],
    enabled: known,
    queryFn: () => unwrap(api.GET('/api/cards/topics/{topic_id}', { params: { path: { topic_id: id } } })),
  })

/** A mutation that invalidates all card data afterwards. A visitor without an account first becomes a guest. */
export function useCards<Body>(change: (body: Body) => Promise<unknown>) {
  const client = useQueryClient()
  const guest = useGuest()
  return useMutation({
    mutationFn: async (body: Body) => {
      await guest()
      await change(body)
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['cards'] }),
  })
}

export const review = (body: Schemas['NewReview']) => unwrap(api.POST('/api/cards/reviews', { body }))
export const undo = (id: string) =>
  unwrap(api.DELETE('/api/cards/reviews/{review_id}', { params: { path: { review_id: id } } }))
export const suspend = (body: Schemas['Suspension']) => unwrap(api.PUT('/api/cards/suspended', { body }))
export const setNewPerDay = (new_per_day: number) =>
  unwrap(api.PUT('/api/cards/settings', { body: { new_per_day } }))
export const addTopic = (id: string) =>
  unwrap(api.PUT('/api/cards/topics/{topic_id}', { params: { path: { topic_id: id } } }))
