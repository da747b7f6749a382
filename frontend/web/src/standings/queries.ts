/** What is asked of the service about standings. Keys of what is somebody's own hold the account. */
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { api, type Schemas, told } from '../api/client'
import { useMe } from '../api/queries'

export type Window = 'all' | 'month' | 'week'
export interface Board {
  section?: string
  challenge?: string
  window?: Window
}
export type Status = 'new' | 'tried' | 'solved'
export type Progress = Schemas['ProgressView']

const PAGE = 25
const SOON = 5_000

export const progress = (account: string | undefined) =>
  queryOptions({
    queryKey: ['progress', account],
    enabled: account !== undefined,
    // Another answer may have been accepted since the last page.
    staleTime: SOON,
    queryFn: () => told(api.GET('/api/me/progress')),
  })

export const leaderboard = (board: Board, cursor: string) =>
  queryOptions({
    queryKey: ['leaderboard', board, cursor],
    staleTime: SOON,
    placeholderData: keepPreviousData,
    queryFn: () =>
      told(api.GET('/api/leaderboard', { params: { query: { ...board, cursor, limit: PAGE } } })),
  })

export const ownPlace = (board: Board, account: string | undefined) =>
  queryOptions({
    queryKey: ['leaderboard', 'me', account, board],
    enabled: account !== undefined,
    staleTime: SOON,
    queryFn: () => told(api.GET('/api/leaderboard/me', { params: { query: { ...board, limit: PAGE } } })),
  })

export const profile = (id: string) =>
  queryOptions({
    queryKey: ['profile', id],
    staleTime: SOON,
    queryFn: () => told(api.GET('/api/profiles/{profile_id}', { params: { path: { profile_id: id } } })),
  })

export const listing = (account: string) =>
  queryOptions({ queryKey: ['listing', account], queryFn: () => told(api.GET('/api/me/listing')) })

/** How far whoever is here has come; undefined for nobody, and until it is known. */
export const useProgress = () => useQuery(progress(useMe()?.id)).data

export function statusOf(found: Progress, slug: string): Status {
  if (found.solved.includes(slug)) return 'solved'
  return found.tried.includes(slug) ? 'tried' : 'new'
}
