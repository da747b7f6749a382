import { List } from '../own/List'
import { TeamFrame } from '../team/TeamFrame'

export function Component() {
  return <TeamFrame>{team => <List team={team} />}</TeamFrame>
}
