/** What is asked of the service for the invitations of an assessment. */
import { useParams } from 'react-router'
import { api, type Schemas, told } from '../api/client'
import { useTeamDeed, useTeamPages } from '../api/teams'

export type Invitation = Schemas['InvitationView']
export type Made = Schemas['InvitationMade']
export type State = Invitation['state']

const AT = '/api/teams/{team_id}/assessments/{assessment_id}/invitations'

/** The assessment that the page's address names. */
export function usePlace() {
  const { teamId = '', assessmentId = '' } = useParams()
  return { team_id: teamId, assessment_id: assessmentId }
}

export function useInvitations(q: string, state?: State) {
  const path = usePlace()
  return useTeamPages(path.team_id, ['invited', path.assessment_id, q, state ?? ''], cursor =>
    told(api.GET(AT, { params: { path, query: { q, cursor, ...(state ? { state } : {}) } } })),
  )
}

export function useInvite() {
  const path = usePlace()
  return useTeamDeed(path.team_id, (body: Schemas['NewInvitations']) =>
    told(api.POST(AT, { params: { path }, body })),
  )
}

/** Invites everybody in a file; its bytes go as they are, so that the service can say which cannot be read. */
export function useInviteBySheet() {
  const path = usePlace()
  return useTeamDeed(path.team_id, ({ sheet, days }: { sheet: Blob; days: number }) =>
    told(
      api.POST(`${AT}/csv`, {
        params: { path, query: { days } },
        headers: { 'Content-Type': 'text/csv' },
        body: sheet as unknown as string,
        bodySerializer: body => body,
      }),
    ),
  )
}

/** What can be done about one invitation. */
export function useDeeds(id: string) {
  const place = usePlace()
  const path = { ...place, invitation_id: id }
  return {
    resend: useTeamDeed(place.team_id, () =>
      told(api.POST(`${AT}/{invitation_id}/resend`, { params: { path } })),
    ),
    remind: useTeamDeed(place.team_id, () =>
      told(api.POST(`${AT}/{invitation_id}/remind`, { params: { path } })),
    ),
    revoke: useTeamDeed(place.team_id, () =>
      told(api.POST(`${AT}/{invitation_id}/revoke`, { params: { path } })),
    ),
    extend: useTeamDeed(place.team_id, (extra_minutes: number) =>
      told(api.PUT(`${AT}/{invitation_id}/extra-time`, { params: { path }, body: { extra_minutes } })),
    ),
  }
}
