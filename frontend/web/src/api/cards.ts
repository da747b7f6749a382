/** What is asked of the service for revision, and what changes it. */
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, type Schemas, told } from './client'
import { useGuest } from './queries'

export type Deck = { deck: 'all' | 'mine' | 'section' | 'track' | 'missed'; name: string }
export type Grade = Schemas['NewReview']['rating']

const SOON_MS = 20_000

/** What a deck asks today, where this browser is. Asked again while cards wait for minutes. */
export const revision = ({ deck, name }: Deck, ahead: boolean, known: boolean) =>
  queryOptions({
    queryKey: ['cards', deck, name, ahead],
    enabled: known,
    staleTime: 0,
    queryFn: () => {
      const offset = -new Date().getTimezoneOffset()
      return told(api.GET('/api/cards', { params: { query: { deck, name, ahead, offset } } }))
    },
    refetchInterval: query => (query.state.data?.waiting && !query.state.data.cards.length ? SOON_MS : false),
  })

export const setAside = queryOptions({
  queryKey: ['cards', 'set aside'],
  queryFn: async () =>
    (await told(api.GET('/api/cards/suspended', { params: { query: { limit: 100 } } }))).items,
})

export const topicCards = (id: string, known: boolean) =>
  queryOptions({
    queryKey: ['cards', 'of', id],
    enabled: known,
    queryFn: () => told(api.GET('/api/cards/topics/{topic_id}', { params: { path: { topic_id: id } } })),
  })

/** A change after which everything about cards is asked anew; whoever is nobody yet becomes a guest. */
export function useCards<Body>(change: (body: Body) => Promise<unknown>) {
  const client = useQueryClient()
  const guest = useGuest()
  return useMutation({
    mutationFn: async (body: Body) => {
      await guest()
      await change(body)
    },
    onSettled: async () => {
      // What is being asked for the first time is not asked again by itself, and may have been read before the change.
      await client.cancelQueries({ queryKey: ['cards'] })
      await client.invalidateQueries({ queryKey: ['cards'] })
    },
  })
}

export const review = (body: Schemas['NewReview']) => told(api.POST('/api/cards/reviews', { body }))
export const undo = (id: string) =>
  told(api.DELETE('/api/cards/reviews/{review_id}', { params: { path: { review_id: id } } }))
export const suspend = (body: Schemas['Suspension']) => told(api.PUT('/api/cards/suspended', { body }))
export const setNewPerDay = (new_per_day: number) =>
  told(api.PUT('/api/cards/settings', { body: { new_per_day } }))
export const addTopic = (id: string) =>
  told(api.PUT('/api/cards/topics/{topic_id}', { params: { path: { topic_id: id } } }))
