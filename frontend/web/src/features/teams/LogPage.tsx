import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { api, type Schemas, unwrap } from '@/api/client'
import { members as membersQuery, useTeamPages } from '@/api/teams'
import { formatDateTime } from '@/shared/format/dates'
import { PagedList } from '@/shared/ui/PagedList'
import { type Team, TeamFrame } from './TeamFrame'
import css from './Teams.module.css'

type Entry = Schemas['TeamLogEntryView']

/** What each action did, as the end of a sentence that begins with the member's name. */
const SENTENCES: Record<Entry['action'], (entry: Entry) => string> = {
  'assessment.create': () => 'created the assessment',
  'assessment.rename': ({ detail }) => `renamed “${detail}” to`,
  'assessment.save': ({ detail }) => `saved ${detail || 'the plan'} of`,
  'assessment.open': () => 'opened for candidates:',
  'assessment.archive': () => 'archived the assessment',
  'assessment.restore': () => 'restored the assessment',
  'assessment.clone': () => 'cloned the assessment',
  'assessment.delete': () => 'deleted the assessment',
  'invitation.send': ({ detail }) => `invited ${detail === '1' ? '1 candidate' : `${detail} candidates`} to`,
  'invitation.resend': () => 'sent an invitation again for',
  'invitation.revoke': () => 'revoked an invitation to',
  'invitation.extra_time': () => 'changed the extra time of an invitation to',
  'participation.extra_time': ({ detail }) => `set the extra time of a candidate to ${detail} in`,
  'participation.finish': () => 'ended the assessment of a candidate in',
  'participation.erase': () => 'deleted all data of a candidate in',
  'report.share': ({ detail }) => `shared a candidate’s report by link ${detail} in`,
  'report.revoke': () => 'revoked a link to a candidate’s report in',
  'participation.decide': ({ detail }) => `decided “${detail}” about a candidate in`,
  'outage.report': () => 'reported an outage in',
  'room.create': () => 'created a live interview',
  'room.delete': () => 'deleted a live interview',
  'challenge.publish': ({ detail }) => `published ${detail} of the challenge`,
  'challenge.archive': () => 'archived the challenge',
  'challenge.restore': () => 'restored the challenge',
  'challenge.delete': () => 'deleted the challenge',
  'team.rename': ({ detail }) => `renamed the team from “${detail}” to`,
  'team.mail': () => 'changed the emails to candidates of',
  'team.result_sharing': ({ detail }) => `turned the comparison with other teams ${detail} for`,
  'member.invite': ({ detail }) => `invited a new ${detail}`,
  'member.role': ({ detail }) => `set the role to ${detail} of`,
  'member.remove': () => 'removed from the team:',
  'webhook.create': () => 'created the webhook',
  'webhook.change': () => 'changed the webhook',
  'webhook.delete': () => 'deleted the webhook',
  'token.create': () => 'created the token',
  'token.revoke': () => 'revoked the token',
}

export function Component() {
  return <TeamFrame>{team => <Log team={team} />}</TeamFrame>
}

/** What the members of the team did, newest first. */
function Log({ team }: { team: Team }) {
  const query = useTeamPages(team.id, ['log'], cursor =>
    unwrap(
      api.GET('/api/teams/{team_id}/log', { params: { path: { team_id: team.id }, query: { cursor } } }),
    ),
  )
  const people = useQuery(membersQuery(team.id)).data ?? []
  const names = new Map(people.map(each => [each.account_id, each.name]))
  return (
    <>
      <Text c="dimmed" mb="lg" maw="44rem">
        What the members of this team did, newest first. All members can read it. Candidates are not named.
      </Text>
      <PagedList query={query} empty="Nothing yet.">
        {items => (
          <ul className={css.log}>
            {items.map(each => (
              <li key={each.id}>
                <time dateTime={each.at}>{formatDateTime(each.at)}</time>
                <span>
                  <b>{each.actor ?? 'A former member'}</b> {SENTENCES[each.action](each)}{' '}
                  <Thing team={team} entry={each} names={names} />
                </span>
              </li>
            ))}
          </ul>
        )}
      </PagedList>
    </>
  )
}

interface ThingProps {
  team: Team
  entry: Entry
  /** The names of the members, by account. */
  names: Map<string, string>
}

/** What an action was about, with a link if it has a page. */
function Thing({ team, entry: { action, object_id, title }, names }: ThingProps) {
  if (action === 'member.role' || action === 'member.remove') return names.get(object_id) ?? 'a former member'
  const [kind] = action.split('.')
  const gone = action.endsWith('.delete')
  if (!gone && (kind === 'assessment' || kind === 'invitation' || kind === 'outage'))
    return <Link to={`/teams/${team.id}/assessments/${object_id}`}>{title}</Link>
  if (!gone && kind === 'challenge')
    return <Link to={`/teams/${team.id}/challenges/${object_id}`}>{title}</Link>
  return title
}
