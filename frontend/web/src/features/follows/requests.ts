import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from '@/api/client'
import { useMe } from '@/api/queries'
import { isMember } from '@/shared/pages/MembersOnly'

const following = (account: string | undefined) =>
  queryOptions({
    queryKey: ['following', account],
    enabled: account !== undefined,
    queryFn: () => unwrap(api.GET('/api/me/following')),
  })

/** Whom the user follows, and how many follow the user; undefined for guests and visitors. */
export function useFollowing() {
  const me = useMe()
  return useQuery(following(isMember(me) ? me.id : undefined)).data
}

/** A mutation that follows a person, or stops following them. */
export function useFollow(id: string) {
  const client = useQueryClient()
  const params = { path: { profile_id: id } }
  return useMutation({
    mutationFn: (follow: boolean) =>
      follow
        ? unwrap(api.PUT('/api/profiles/{profile_id}/follow', { params }))
        : unwrap(api.DELETE('/api/profiles/{profile_id}/follow', { params })),
    onSettled: () =>
      Promise.all(
        [['following'], ['leaderboard', 'following']].map(queryKey => client.invalidateQueries({ queryKey })),
      ),
  })
}
