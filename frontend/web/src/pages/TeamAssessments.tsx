import { TeamFrame } from '../team/TeamFrame'

export function Component() {
  return <TeamFrame>{() => null}</TeamFrame>
}
