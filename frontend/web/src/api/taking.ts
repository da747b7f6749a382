/** What is asked of the service by whoever takes an assessment. */
import { queryOptions } from '@tanstack/react-query'
import { heard } from '../taking/time'
import { api, Refusal, type Schemas, told } from './client'

export type Participation = Schemas['ParticipationView']
export type Section = Schemas['SectionView']
export type ItemCard = Schemas['ItemCard']
export type OpenedItem = Schemas['OpenedItem']

const UNDER_WAY = ['queued', 'judging']
const LOOK_MS = 1500

/** What somebody with an invitation is told. */
export const invitation = (token: string) =>
  queryOptions({
    queryKey: ['invitation', token],
    staleTime: 0,
    queryFn: async () => {
      const found = await told(api.GET('/api/take/{token}', { params: { path: { token } } }))
      heard(found.server_time)
      return found
    },
  })

/** What is taken in this browser. */
export const participation = queryOptions({
  queryKey: ['participation'],
  staleTime: 0,
  queryFn: async () => {
    const found = await told(api.GET('/api/participation'))
    heard(found.server_time)
    return found
  },
})

/** An item, opened: a section's own time runs from the first time that this is asked. */
export const openItem = (position: number) =>
  told(api.POST('/api/participation/items/{position}/open', { params: { path: { position } } }))

export const item = (id: string, position: number) =>
  queryOptions({
    queryKey: ['participation', id, 'item', position],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => openItem(position),
  })

/** What became of an answer; asked again while it is judged, should no event come. */
export const sentAnswer = (id: string) =>
  queryOptions({
    queryKey: ['participation', 'sent', id],
    enabled: id !== '',
    staleTime: 0,
    queryFn: () =>
      told(
        api.GET('/api/participation/submissions/{submission_id}', {
          params: { path: { submission_id: id } },
        }),
      ),
    refetchInterval: query =>
      query.state.data && !UNDER_WAY.includes(query.state.data.status) ? false : LOOK_MS,
  })

export async function startHere(token: string, name: string): Promise<Participation> {
  const path = { token }
  const begun = await told(
    api.POST('/api/take/{token}/start', { params: { path }, body: { name, honour: true } }),
  )
  heard(begun.server_time)
  return begun
}

export const is = (error: Error | null, code: string): boolean =>
  error instanceof Refusal && error.code === code
