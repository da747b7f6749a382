import { Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { useTitle } from '@/shared/hooks/useTitle'
import { ErrorMessage, Loaded } from '@/shared/ui/QueryStates'
import { CandidateMessage } from './CandidateFrame'
import { FinishedAssessment } from './FinishedAssessment'
import { RunningAssessment } from './RunningAssessment'
import { hasErrorCode, type Participation, participation } from './requests'
import { TakenOver } from './start/TakenOver'
import { useLiveUpdates } from './useLiveUpdates'

const ASK_MS = 5000
const GONE = ['taken_over', 'not_signed_in', 'participation_not_found']

/** The assessment that is open in this browser: running, finished, or continued on another device. */
export function Component() {
  const client = useQueryClient()
  const news = useCallback(() => {
    client.invalidateQueries({ queryKey: participation.queryKey, exact: true })
    client.invalidateQueries({ queryKey: ['participation', 'sent'] })
  }, [client])
  const [heard, setHeard] = useState(false)
  const query = useQuery({
    ...participation,
    refetchInterval: ({ state: { error } }) =>
      heard || GONE.some(code => hasErrorCode(error, code)) ? false : ASK_MS,
  })
  useTitle(query.data?.assessment ?? 'Assessment')
  const { data: found, error } = query
  const gone = GONE.find(code => hasErrorCode(error, code))
  useArrival(found)
  useLiveUpdates(Boolean(found) && !gone, news, setHeard)
  if (gone === 'taken_over') return <TakenOver {...(found && { name: found.assessment })} />
  if (gone)
    return (
      <CandidateMessage title="No assessment is open in this browser">
        <Text>
          Open your invitation link in this browser. An assessment that ended long ago may have been deleted.
        </Text>
      </CandidateMessage>
    )
  if (found?.finished_at) return <FinishedAssessment found={found} />
  if (found) return <RunningAssessment key={found.id} found={found} onNews={news} />
  return (
    <CandidateMessage title="Assessment">
      {error ? (
        <ErrorMessage error={error} again={() => query.refetch()} />
      ) : (
        <Loaded query={query}>{() => null}</Loaded>
      )}
    </CandidateMessage>
  )
}

/** If the assessment ends while an item is open, navigates to the summary. */
function useArrival(found?: Participation) {
  const go = useNavigate()
  const ran = useRef(false)
  const ended = found ? found.finished_at !== null : undefined
  useEffect(() => {
    if (ended && ran.current) go('/participation', { replace: true })
    ran.current = ended === false
  }, [ended, go])
}
