/** Queries and mutations of live interviews. */
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, type Schemas, unwrap } from '@/api/client'
import { syncClock } from '@/features/participations'

export type Room = Schemas['RoomView']
export type Person = Schemas['PersonView']
export type Review = Schemas['RoomReview']
export type TranscriptEvent = Schemas['TranscriptEvent']
export type Sent = Schemas['RoomSubmission']

export const roomKey = (id: string) => ['room', id, 'shown']
export const reviewKey = (id: string) => ['room', id, 'review']

const at = (id: string) => ({ params: { path: { room_id: id } } })

export const room = (id: string) =>
  queryOptions({
    queryKey: roomKey(id),
    staleTime: 0,
    queryFn: async () => {
      const found = await unwrap(api.GET('/api/rooms/{room_id}', at(id)))
      syncClock(found.server_time)
      return found
    },
  })

export const review = (id: string) =>
  queryOptions({
    queryKey: reviewKey(id),
    staleTime: 0,
    queryFn: () => unwrap(api.GET('/api/rooms/{room_id}/review', at(id))),
  })

export const transcript = (id: string) =>
  queryOptions({
    queryKey: ['room', id, 'transcript'],
    staleTime: 0,
    queryFn: () => unwrap(api.GET('/api/rooms/{room_id}/transcript', at(id))),
  })

export const replay = (id: string, position: number) =>
  queryOptions({
    queryKey: ['room', id, 'replay', position],
    staleTime: 0,
    queryFn: async () => {
      const path = { room_id: id, position }
      return (await unwrap(api.GET('/api/rooms/{room_id}/replay/{position}', { params: { path } }))).steps
    },
  })

export const sentCode = (id: string, submissionId: string) =>
  queryOptions({
    queryKey: ['room', id, 'submission', submissionId],
    queryFn: () => loadSent(id, submissionId),
  })

export const loadSent = (id: string, submissionId: string) =>
  unwrap(
    api.GET('/api/rooms/{room_id}/submissions/{submission_id}', {
      params: { path: { room_id: id, submission_id: submissionId } },
    }),
  )

/** What a link opens. */
export const roomOffer = (token: string) =>
  queryOptions({
    queryKey: ['room-offer', token],
    staleTime: 0,
    queryFn: () => unwrap(api.POST('/api/room-links/read', { body: { token } })),
  })

/** A mutation whose response is the changed room. */
function useRoomMutation<Given>(id: string, act: (given: Given) => Promise<Room>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: act,
    onSuccess: changed => {
      syncClock(changed.server_time)
      client.setQueryData(roomKey(id), changed)
    },
  })
}

export const useShowChallenge = (id: string) =>
  useRoomMutation(id, (name: string) =>
    unwrap(api.POST('/api/rooms/{room_id}/challenge', { ...at(id), body: { name } })),
  )

export const useExtend = (id: string) =>
  useRoomMutation(id, (text: string) =>
    unwrap(api.PUT('/api/rooms/{room_id}/extension', { ...at(id), body: { text } })),
  )

export const useTimer = (id: string) =>
  useRoomMutation(id, (seconds: number) =>
    unwrap(api.PUT('/api/rooms/{room_id}/timer', { ...at(id), body: { seconds } })),
  )

export const useEnd = (id: string) =>
  useRoomMutation(id, (_: undefined) => unwrap(api.POST('/api/rooms/{room_id}/end', at(id))))

/** A mutation whose response is the changed review. */
function useReviewMutation<Given>(id: string, act: (given: Given) => Promise<Review>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: act,
    onSuccess: changed => client.setQueryData(reviewKey(id), changed),
  })
}

export const useAddNote = (id: string) =>
  useReviewMutation(id, (text: string) =>
    unwrap(api.POST('/api/rooms/{room_id}/notes', { ...at(id), body: { text } })),
  )

export const useDeleteNote = (id: string) =>
  useReviewMutation(id, (note: string) =>
    unwrap(
      api.DELETE('/api/rooms/{room_id}/notes/{note_id}', {
        params: { path: { room_id: id, note_id: note } },
      }),
    ),
  )

export const useScore = (id: string) =>
  useReviewMutation(id, ({ criterion, level }: { criterion: number; level: number | null }) =>
    unwrap(
      api.PUT('/api/rooms/{room_id}/scores/{criterion}', {
        params: { path: { room_id: id, criterion } },
        body: { level },
      }),
    ),
  )
