import { queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { api, type Schemas, unwrap } from '@/api/client'

const load = (cursor: string) => unwrap(api.GET('/api/weekly', { params: { query: { cursor } } }))

const latestWeeks = queryOptions({ queryKey: ['weekly', 'latest'], queryFn: () => load('') })

/** The challenges of this week; undefined until they have loaded. */
export function useThisWeek(): Schemas['WeekView'] | undefined {
  const found = useQuery(latestWeeks).data?.items[0]
  // The latest stored week is an old one where the catalogue is empty.
  return found && new Date(found.ends_at).getTime() > Date.now() ? found : undefined
}

/** All weeks, the latest first. */
export const useWeeks = () =>
  useInfiniteQuery({
    queryKey: ['weekly', 'all'],
    queryFn: ({ pageParam }) => load(pageParam),
    initialPageParam: '',
    getNextPageParam: last => last.next_cursor,
  })
