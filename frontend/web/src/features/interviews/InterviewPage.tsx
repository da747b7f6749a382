import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { useTitle } from '@/shared/hooks/useTitle'
import { Loaded } from '@/shared/ui/QueryStates'
import { InterviewReport } from './InterviewReport'
import { RunningInterview } from './RunningInterview'
import { interview } from './requests'

export function Component() {
  const { id = '' } = useParams()
  useTitle('Mock interview')
  return (
    <Loaded page query={useQuery(interview(id))}>
      {found =>
        found.ended_at ? <InterviewReport interview={found} /> : <RunningInterview interview={found} />
      }
    </Loaded>
  )
}
