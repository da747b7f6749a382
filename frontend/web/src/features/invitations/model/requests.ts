/** Queries and mutations for the invitations of an assessment. */
import { useParams } from 'react-router'
import { api, type Schemas, unwrap } from '@/api/client'
import { useTeamMutation, useTeamPages } from '@/api/teams'
import type { ExtraTime } from './extraTime'

export type Invitation = Schemas['ListedInvitation']
export type Made = Schemas['InvitationMade']
export type State = Invitation['state']

const AT = '/api/teams/{team_id}/assessments/{assessment_id}/invitations'

/** The assessment that the page's URL names. */
export function useAssessmentParams() {
  const { teamId = '', assessmentId = '' } = useParams()
  return { team_id: teamId, assessment_id: assessmentId }
}

export function useInvitations(q: string, state?: State) {
  const path = useAssessmentParams()
  return useTeamPages(path.team_id, ['invited', path.assessment_id, q, state ?? ''], cursor =>
    unwrap(api.GET(AT, { params: { path, query: { q, cursor, ...(state ? { state } : {}) } } })),
  )
}

/** Whether this site sends email. Until the service has said so, the page is as on a site that does. */
export const useSendsMail = (): boolean => useInvitations('').data?.pages[0]?.sends_mail ?? true

export function useInvite() {
  const path = useAssessmentParams()
  return useTeamMutation(path.team_id, (body: Schemas['NewInvitations']) =>
    unwrap(api.POST(AT, { params: { path }, body })),
  )
}

/** Invites all people in a file. The bytes are sent unchanged, so that the service can report the ones it cannot decode. */
export function useInviteBySheet() {
  const path = useAssessmentParams()
  return useTeamMutation(path.team_id, ({ sheet, days }: { sheet: Blob; days: number }) =>
    unwrap(
      api.POST(`${AT}/csv`, {
        params: { path, query: { days } },
        headers: { 'Content-Type': 'text/csv' },
        body: sheet as unknown as string,
        bodySerializer: body => body,
      }),
    ),
  )
}

/** Actions on an invitation. */
export function useInvitationActions(id: string) {
  const place = useAssessmentParams()
  const path = { ...place, invitation_id: id }
  return {
    resend: useTeamMutation(place.team_id, () =>
      unwrap(api.POST(`${AT}/{invitation_id}/resend`, { params: { path } })),
    ),
    remind: useTeamMutation(place.team_id, () =>
      unwrap(api.POST(`${AT}/{invitation_id}/remind`, { params: { path } })),
    ),
    revoke: useTeamMutation(place.team_id, () =>
      unwrap(api.POST(`${AT}/{invitation_id}/revoke`, { params: { path } })),
    ),
    extend: useTeamMutation(place.team_id, (extra: ExtraTime) =>
      unwrap(api.PUT(`${AT}/{invitation_id}/extra-time`, { params: { path }, body: extra })),
    ),
  }
}
