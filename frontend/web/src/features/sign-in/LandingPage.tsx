import { useQuery } from '@tanstack/react-query'
import { Navigate } from 'react-router'
import { me } from '@/api/queries'
import { teams } from '@/api/teams'
import { isMember } from '@/shared/pages/MembersOnly'
import { Loaded } from '@/shared/ui/QueryStates'

/** Where a user goes after signing in: members of a team to their assessments, everyone else to the catalogue. */
export function Component() {
  const { data: account, isPending } = useQuery(me)
  const query = useQuery(teams(isMember(account ?? null)))
  if (!isPending && !isMember(account ?? null)) return <Navigate to="/catalogue" replace />
  if (query.isError) return <Navigate to="/catalogue" replace />
  return (
    <Loaded page query={query}>
      {items => <Navigate to={items.length > 0 ? '/teams' : '/catalogue'} replace />}
    </Loaded>
  )
}
