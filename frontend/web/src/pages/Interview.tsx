import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { interview } from '../api/interviews'
import { Report } from '../interview/Report'
import { Running } from '../interview/Running'
import { Loaded } from '../parts/States'
import { useTitle } from '../parts/title'

export function Component() {
  const { id = '' } = useParams()
  useTitle('Mock interview')
  return (
    <Loaded page query={useQuery(interview(id))}>
      {found => (found.ended_at ? <Report interview={found} /> : <Running interview={found} />)}
    </Loaded>
  )
}
