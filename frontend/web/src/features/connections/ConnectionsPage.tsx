import { Text } from '@mantine/core'
import { atLeast, TeamFrame } from '@/features/teams'
import { Examples } from './Examples'
import { TeamTokens } from './TeamTokens'
import { Webhooks } from './Webhooks'

/** Webhooks and API tokens for a team's own systems. */
export function Component() {
  return (
    <TeamFrame>
      {team =>
        atLeast(team, 'owner') ? (
          <div style={{ maxWidth: '50rem' }}>
            <Webhooks team={team.id} />
            <TeamTokens team={team.id} />
            <Examples />
          </div>
        ) : (
          <Text c="dimmed">Only the team’s owners can see its webhooks and tokens.</Text>
        )
      }
    </TeamFrame>
  )
}
