import { Text } from '@mantine/core'
import { Examples } from '../connections/Examples'
import { TeamTokens } from '../connections/TeamTokens'
import { Webhooks } from '../connections/Webhooks'
import { atLeast, TeamFrame } from '../team/TeamFrame'

/** How a team's own systems work with Gradus. */
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
          <Text c="dimmed">Only the team’s owners see its webhooks and tokens.</Text>
        )
      }
    </TeamFrame>
  )
}
