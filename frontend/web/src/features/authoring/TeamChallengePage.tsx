import { TeamFrame } from '@/features/teams'
import { ChallengeDetails } from './ChallengeDetails'

export function Component() {
  return <TeamFrame>{team => <ChallengeDetails team={team} />}</TeamFrame>
}
