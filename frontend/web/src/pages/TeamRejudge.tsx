import { Rejudge } from '../own/Rejudge'
import { TeamFrame } from '../team/TeamFrame'

export function Component() {
  return <TeamFrame>{team => <Rejudge team={team} />}</TeamFrame>
}
