import { TeamFrame } from '@/features/teams'
import { ChallengeList } from './ChallengeList'

export function Component() {
  return <TeamFrame>{team => <ChallengeList team={team} />}</TeamFrame>
}
