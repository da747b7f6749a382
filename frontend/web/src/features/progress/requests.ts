/** Requests for the progress of an account. The query key contains the account, so another account never sees cached data. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, type Schemas, unwrap } from '@/api/client'
import { useMe } from '@/api/queries'

export type Status = 'new' | 'tried' | 'solved'
export type Progress = Schemas['ProgressView']

const SOON = 5_000

export const progress = (account: string | undefined) =>
  queryOptions({
    queryKey: ['progress', account],
    enabled: account !== undefined,
    // Another answer may have been accepted since the last page.
    staleTime: SOON,
    queryFn: () => unwrap(api.GET('/api/me/progress')),
  })

/** The progress of the current account; undefined without an account and while loading. */
export const useProgress = () => useQuery(progress(useMe()?.id)).data

export function statusOf(found: Progress, slug: string): Status {
  if (found.solved.includes(slug)) return 'solved'
  return found.tried.includes(slug) ? 'tried' : 'new'
}
