import { One } from '../own/One'
import { TeamFrame } from '../team/TeamFrame'

export function Component() {
  return <TeamFrame>{team => <One team={team} />}</TeamFrame>
}
