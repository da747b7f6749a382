import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '@/api/client'

export type Window = 'all' | 'month' | 'week'
export interface Board {
  section?: string
  challenge?: string
  window?: Window
}

const PAGE = 25
const SOON = 5_000

export const leaderboard = (board: Board, cursor: string) =>
  queryOptions({
    queryKey: ['leaderboard', board, cursor],
    staleTime: SOON,
    placeholderData: keepPreviousData,
    queryFn: () =>
      unwrap(api.GET('/api/leaderboard', { params: { query: { ...board, cursor, limit: PAGE } } })),
  })

export const ownRank = (board: Board, account: string | undefined) =>
  queryOptions({
    queryKey: ['leaderboard', 'me', account, board],
    enabled: account !== undefined,
    staleTime: SOON,
    queryFn: () => unwrap(api.GET('/api/leaderboard/me', { params: { query: { ...board, limit: PAGE } } })),
  })
