import { Section } from '@/shared/forms/Section'
import { CandidateMails } from './CandidateMails'
import { Members } from './Members'
import { atLeast, TeamFrame } from './TeamFrame'
import { TeamInvitations } from './TeamInvitations'
import { TeamSettings } from './TeamSettings'

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
                <TeamInvitations team={team} />
              </Section>
              <Section id="emails" title="Emails to candidates">
                <CandidateMails team={team} />
              </Section>
              <Section id="team" title="Team">
                <TeamSettings team={team} />
              </Section>
            </>
          )}
        </>
      )}
    </TeamFrame>
  )
}
