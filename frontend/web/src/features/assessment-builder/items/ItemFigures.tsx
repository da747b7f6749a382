import { useQuery } from '@tanstack/react-query'
import { challengeStats } from '@/api/queries'
import { formatDuration } from '@/shared/format/numbers'
import { usePlanContext } from '../context'
import { describeAccepted } from '../plan/acceptedShare'
import type { AvailableItem } from '../plan/availableItems'
import { nameOf } from '../plan/form'
import { itemHistory } from '../requests'

/** How people have done with an item: the team's candidates, and everyone who practises on this site. */
export function ItemFigures({ thing }: { thing: AvailableItem }) {
  const { teamId } = usePlanContext()
  const own = useQuery(itemHistory(teamId)).data?.find(each => nameOf(each) === nameOf(thing.choice))
  const site = useQuery(challengeStats).data?.find(each => each.slug === thing.choice.name)
  const accepted = thing.choice.kind === 'challenge' && site && describeAccepted(site)
  return (
    <>
      {own && (
        <span>
          your candidates: {own.solved} of {own.people} solved it
          {own.median_s !== null && `, median ${formatDuration(own.median_s)}`}
        </span>
      )}
      {accepted && <span>{accepted}</span>}
    </>
  )
}
