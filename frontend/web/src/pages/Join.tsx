import { SignInFirst } from '../team/SignInFirst'

export function Component() {
  return <SignInFirst title="Join a team" />
}
