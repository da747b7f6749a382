import { Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { is, type Participation, participation } from '../api/taking'
import { Broken, Loaded } from '../parts/States'
import { useTitle } from '../parts/title'
import { AtWork } from '../taking/AtWork'
import { Handed } from '../taking/Handed'
import { useLive } from '../taking/live'
import { Calm } from '../taking/Quiet'
import { TakenOver } from '../taking/TakenOver'

const ASK_MS = 5000
const GONE = ['taken_over', 'not_signed_in', 'participation_not_found']

/** The assessment that is taken in this browser: at work, handed in, or gone on elsewhere. */
export function Component() {
  const client = useQueryClient()
  const news = useCallback(() => {
    client.invalidateQueries({ queryKey: participation.queryKey, exact: true })
    client.invalidateQueries({ queryKey: ['participation', 'sent'] })
  }, [client])
  const [heard, setHeard] = useState(false)
  const query = useQuery({
    ...participation,
    refetchInterval: ({ state: { error } }) => (heard || GONE.some(code => is(error, code)) ? false : ASK_MS),
  })
  useTitle(query.data?.assessment ?? 'Assessment')
  const { data: found, error } = query
  const gone = GONE.find(code => is(error, code))
  useArrival(found)
  useLive(Boolean(found) && !gone, news, setHeard)
  if (gone === 'taken_over') return <TakenOver {...(found && { name: found.assessment })} />
  if (gone)
    return (
      <Calm title="No assessment is taken here">
        <Text>
          Open the link of your invitation in this browser. If it was finished long ago, it may be erased.
        </Text>
      </Calm>
    )
  if (found?.finished_at) return <Handed found={found} />
  if (found) return <AtWork key={found.id} found={found} onNews={news} />
  return (
    <Calm title="Assessment">
      {error ? (
        <Broken error={error} again={() => query.refetch()} />
      ) : (
        <Loaded query={query}>{() => null}</Loaded>
      )}
    </Calm>
  )
}

/** Whoever was at an item when it ended sees first what was handed in. */
function useArrival(found?: Participation) {
  const go = useNavigate()
  const ran = useRef(false)
  const ended = found ? found.finished_at !== null : undefined
  useEffect(() => {
    if (ended && ran.current) go('/participation', { replace: true })
    ran.current = ended === false
  }, [ended, go])
}
