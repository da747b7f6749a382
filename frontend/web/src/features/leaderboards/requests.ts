import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '@/api/client'

export interface Board {
  section?: string
  challenge?: string
  /** all, month or week, or a certain month or week such as 2026-W47. */
  window?: string
}

export const PAGE = 25
const SOON = 5_000

export const leaderboard = (board: Board, cursor: string, limit = PAGE) =>
  queryOptions({
    queryKey: ['leaderboard', board, cursor, limit],
    staleTime: SOON,
    placeholderData: keepPreviousData,
    queryFn: () => unwrap(api.GET('/api/leaderboard', { params: { query: { ...board, cursor, limit } } })),
  })

/** The board with only the user and the people that the user follows. */
export const boardOfFollowed = (board: Board, cursor: string, account: string | undefined) =>
  queryOptions({
    queryKey: ['leaderboard', 'following', account, board, cursor],
    enabled: account !== undefined,
    staleTime: SOON,
    placeholderData: keepPreviousData,
    queryFn: () =>
      unwrap(api.GET('/api/leaderboard/following', { params: { query: { ...board, cursor, limit: PAGE } } })),
  })

export const ownRank = (board: Board, account: string | undefined, followed: boolean) =>
  queryOptions({
    queryKey: ['leaderboard', followed ? 'following' : 'me', account, board],
    enabled: account !== undefined,
    staleTime: SOON,
    queryFn: () => {
      const people = followed ? 'following' : 'all'
      return unwrap(api.GET('/api/leaderboard/me', { params: { query: { ...board, people, limit: PAGE } } }))
    },
  })
