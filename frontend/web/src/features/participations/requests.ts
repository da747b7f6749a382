/** Queries for candidates. */
import { queryOptions } from '@tanstack/react-query'
import { ApiError, api, type Schemas, unwrap } from '@/api/client'
import { syncClock } from './clock'

export type Participation = Schemas['ParticipationView']
export type Section = Schemas['SectionView']
export type ItemCard = Schemas['ItemCard']
export type OpenedItem = Schemas['OpenedItem']

const UNDER_WAY = ['queued', 'judging']
const LOOK_MS = 1500

/** What a candidate with an invitation reads before the start. */
export const invitation = (token: string) =>
  queryOptions({
    queryKey: ['invitation', token],
    staleTime: 0,
    queryFn: async () => {
      const found = await unwrap(api.GET('/api/take/{token}', { params: { path: { token } } }))
      syncClock(found.server_time)
      return found
    },
  })

/** The participation of this browser. */
export const participation = queryOptions({
  queryKey: ['participation'],
  staleTime: 0,
  queryFn: async () => {
    const found = await unwrap(api.GET('/api/participation'))
    syncClock(found.server_time)
    return found
  },
})

/** Opens an item. The first such request starts the section's own time. */
export const openItem = (position: number) =>
  unwrap(api.POST('/api/participation/items/{position}/open', { params: { path: { position } } }))

export const item = (id: string, position: number) =>
  queryOptions({
    queryKey: ['participation', id, 'item', position],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => openItem(position),
  })

/** A submission. Refetches while it is judged, in case the events do not arrive. */
export const sentAnswer = (id: string) =>
  queryOptions({
    queryKey: ['participation', 'sent', id],
    enabled: id !== '',
    staleTime: 0,
    queryFn: () =>
      unwrap(
        api.GET('/api/participation/submissions/{submission_id}', {
          params: { path: { submission_id: id } },
        }),
      ),
    refetchInterval: query =>
      query.state.data && !UNDER_WAY.includes(query.state.data.status) ? false : LOOK_MS,
  })

export async function startAssessment(token: string, name: string): Promise<Participation> {
  const path = { token }
  const begun = await unwrap(
    api.POST('/api/take/{token}/start', { params: { path }, body: { name, honour: true } }),
  )
  syncClock(begun.server_time)
  return begun
}

export const hasErrorCode = (error: Error | null, code: string): boolean =>
  error instanceof ApiError && error.code === code
