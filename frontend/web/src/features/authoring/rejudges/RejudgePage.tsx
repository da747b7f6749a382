import { TeamFrame } from '@/features/teams'
import { Rejudge } from './Rejudge'

export function Component() {
  return <TeamFrame>{team => <Rejudge team={team} />}</TeamFrame>
}
