import { Anchor, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { VERDICTS } from '../challenge/verdicts'
import { many, when } from '../desk/format'
import { Change } from './Diff'
import css from './Rejudge.module.css'
import { appliedTo, isUndecided, type Of, outdated, rejudgedOf, rejudges } from './rejudges'

const people = (value: number) => many(value, 'person', 'people')

/** On a challenge's page: that answers count by an older version, or that a rejudge is under way; and the way there. */
export function RejudgeNotice({ of }: { of: Of }) {
  const old = useQuery(outdated(of))
  const begun = useQuery(rejudges(of))
  if (!old.data || !begun.data) return null
  const now = begun.data.find(isUndecided)
  const answers = old.data.assessments.reduce((sum, each) => sum + each.submissions, 0)
  const words = now
    ? now.state === 'ready'
      ? `Answers were tried on version ${now.version}: a change for ${people(now.changed)}. Nothing counts yet.`
      : `Answers are being tried on version ${now.version}.`
    : answers > 0
      ? `${many(answers, 'finished answer')} ${answers === 1 ? 'counts' : 'count'} by an older version than ${old.data.version}.`
      : begun.data.length > 0
        ? 'Finished answers were judged again.'
        : ''
  if (!words) return null
  return (
    <section className={css.notice} aria-label="Judging again">
      <Text size="sm">{words}</Text>
      <Anchor component={Link} size="sm" fw={600} to={`/teams/${of.teamId}/challenges/${of.id}/rejudge`}>
        {now ? 'See what changes' : answers > 0 ? 'Judge them again' : 'See what changed'}
      </Anchor>
    </section>
  )
}

/** On an assessment's results: which challenges were judged again since, and for how many that changed something. */
export function AppliedRejudges({ teamId, assessmentId }: { teamId: string; assessmentId: string }) {
  const query = useQuery(appliedTo(teamId, assessmentId))
  return query.data?.map(each => (
    <Text key={each.id} size="sm" mt="sm">
      {each.challenge_id ? (
        <Anchor
          component={Link}
          to={`/teams/${teamId}/challenges/${each.challenge_id}/rejudge?of=${each.id}`}
        >
          {each.title}
        </Anchor>
      ) : (
        each.title
      )}{' '}
      was judged again on version {each.version}, {when(each.applied_at)}
      {each.applied_by && ` by ${each.applied_by}`}: a change for {people(each.changed)} of {each.people}.
    </Text>
  ))
}

interface Person {
  teamId: string
  assessmentId: string
  id: string
}

/** On a candidate's report: what was judged again, and what it had come to before. */
export function RejudgedItems({ of, titles }: { of: Person; titles: Map<number, string> }) {
  const query = useQuery(rejudgedOf(of.teamId, of.assessmentId, of.id))
  return query.data?.map(each => (
    <Text key={`${each.rejudge_id} ${each.position}`} size="sm" c="dimmed" mt="xs">
      {titles.get(each.position)} was judged again on version {each.version}, {when(each.applied_at)}:{' '}
      {each.verdict_before ? VERDICTS[each.verdict_before].name : 'nothing'} before,{' '}
      <Change before={each.score_before} after={each.score_after} /> points.
    </Text>
  ))
}
