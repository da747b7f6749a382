import { Section } from '../account/Section'
import { Invitations } from '../team/Invitations'
import { Members } from '../team/Members'
import { atLeast, TeamFrame } from '../team/TeamFrame'
import { TheTeam } from '../team/TheTeam'

export function Component() {
  return (
    <TeamFrame>
      {team => (
        <>
          <Section id="members" title="Members">
            <Members team={team} />
          </Section>
          {atLeast(team, 'owner') && (
            <>
              <Section id="invitations" title="Invitations">
                <Invitations team={team} />
              </Section>
              <Section id="team" title="The team">
                <TheTeam team={team} />
              </Section>
            </>
          )}
        </>
      )}
    </TeamFrame>
  )
}
