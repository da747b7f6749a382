import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, type Schemas, unwrap } from '@/api/client'

export type Measurement = Schemas['MeasurementView']
export type Interval = Schemas['IntervalView']
export type BoardPage = Schemas['SpeedBoardPage']

const PAGE = 50
const SOON = 5_000
/** How often the state of a measurement is requested while it can change, in milliseconds. */
const OFTEN = 1_500
const LIVE: Measurement['state'][] = ['waiting', 'running', 'confirming']

/** Whether a measurement is not finished yet. */
export const isLive = (found: Measurement | null | undefined) => !!found && LIVE.includes(found.state)

export const speedBoards = queryOptions({
  queryKey: ['speed-boards'],
  staleTime: SOON,
  queryFn: async () => (await unwrap(api.GET('/api/boards/speed'))).items,
})

export const speedBoard = (slug: string, board: string, cursor: string) =>
  queryOptions({
    queryKey: ['speed-board', slug, board, cursor],
    staleTime: SOON,
    placeholderData: keepPreviousData,
    queryFn: () =>
      unwrap(
        api.GET('/api/boards/speed/{slug}', {
          params: { path: { slug }, query: { board, cursor, limit: PAGE } },
        }),
      ),
    refetchInterval: ({ state }) =>
      state.data && (state.data.waiting > 0 || state.data.confirming.length > 0) ? SOON : false,
  })

export const ownSpeed = (slug: string, board: string, account: string | undefined) =>
  queryOptions({
    queryKey: ['speed-board', slug, 'me', account, board],
    enabled: account !== undefined,
    staleTime: SOON,
    queryFn: () =>
      unwrap(
        api.GET('/api/boards/speed/{slug}/me', { params: { path: { slug }, query: { board, limit: PAGE } } }),
      ),
    refetchInterval: ({ state }) => (state.data?.attempts.some(isLive) ? OFTEN : false),
  })

export const speedEntry = (id: string) =>
  queryOptions({
    queryKey: ['speed-entry', id],
    staleTime: SOON,
    queryFn: () => unwrap(api.GET('/api/speed-entries/{entry_id}', { params: { path: { entry_id: id } } })),
  })

export const measurementOf = (submission: string) =>
  queryOptions({
    queryKey: ['measurement', submission],
    queryFn: async () =>
      (
        await unwrap(
          api.GET('/api/submissions/{submission_id}/measurement', {
            params: { path: { submission_id: submission } },
          }),
        )
      ).measurement,
    refetchInterval: ({ state }) => (isLive(state.data) ? OFTEN : false),
  })
