import { Anchor, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { formatOptionalDateTime, pluralize } from '@/shared/format/numbers'
import { VERDICTS } from '@/shared/verdicts'
import css from './Rejudge.module.css'
import { ScoreChange } from './RejudgeOutcome'
import { appliedTo, isUndecided, type Of, outdated, rejudgedOf, rejudges } from './requests'

const candidates = (value: number) => pluralize(value, 'candidate')

/** On a challenge's page: says that answers count by an older version or that a rejudge is running, and links to it. */
export function RejudgeNotice({ of }: { of: Of }) {
  const old = useQuery(outdated(of))
  const begun = useQuery(rejudges(of))
  if (!old.data || !begun.data) return null
  const now = begun.data.find(isUndecided)
  const answers = old.data.assessments.reduce((sum, each) => sum + each.submissions, 0)
  const ready = now?.state === 'ready'
  const words = now
    ? ready
      ? `Answers were rejudged with version ${now.version}: ${candidates(now.changed)} affected. The new results do not count until you apply them.`
      : `Answers are being rejudged with version ${now.version}.`
    : answers > 0
      ? `${pluralize(answers, 'answer')} ${answers === 1 ? 'was' : 'were'} judged with a version older than ${old.data.version}.`
      : begun.data.length > 0
        ? 'Answers were rejudged.'
        : ''
  if (!words) return null
  return (
    <section className={css.notice} aria-label="Rejudge">
      <Text size="sm">{words}</Text>
      <Anchor component={Link} size="sm" fw={600} to={`/teams/${of.teamId}/challenges/${of.id}/rejudge`}>
        {now && !ready ? 'Show progress' : !now && answers > 0 ? 'Rejudge them' : 'Show changes'}
      </Anchor>
    </section>
  )
}

/** On an assessment's results: the challenges that were rejudged since, and how many candidates that affected. */
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
      was rejudged with version {each.version} on {formatOptionalDateTime(each.applied_at)}
      {each.applied_by && ` by ${each.applied_by}`}: {each.changed} of {candidates(each.people)} affected.
    </Text>
  ))
}

interface Person {
  teamId: string
  assessmentId: string
  id: string
}

/** On a candidate's report: the rejudged items and their previous scores. */
export function RejudgedItems({ of, titles }: { of: Person; titles: Map<number, string> }) {
  const query = useQuery(rejudgedOf(of.teamId, of.assessmentId, of.id))
  return query.data?.map(each => (
    <Text key={`${each.rejudge_id} ${each.position}`} size="sm" c="dimmed" mt="xs">
      {titles.get(each.position)} was rejudged with version {each.version} on{' '}
      {formatOptionalDateTime(each.applied_at)}. Previous verdict:{' '}
      {each.verdict_before ? VERDICTS[each.verdict_before].name : 'none'}. Points:{' '}
      <ScoreChange before={each.score_before} after={each.score_after} />.
    </Text>
  ))
}
