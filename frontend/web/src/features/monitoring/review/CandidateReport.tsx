import { Alert, Button, Group, Menu, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { RejudgedItems } from '@/features/authoring'
import { CandidateSimilarity } from '@/features/results'
import { atLeast, type Team } from '@/features/teams'
import { formatDateTime } from '@/shared/format/dates'
import { formatPoints, pluralize } from '@/shared/format/numbers'
import { useNow } from '@/shared/hooks/useNow'
import { useTitle } from '@/shared/hooks/useTitle'
import { Loaded } from '@/shared/ui/QueryStates'
import { DecisionBadge } from '../DecisionBadge'
import {
  clockSkewOf,
  describeDuration,
  formatElapsed,
  formatRoughDuration,
  scoreWithManualPoints,
  stateOf,
} from '../labels'
import { EraseDialog, ExtraTimeDialog, FinishDialog } from '../ParticipationActions'
import { type Participation, type Person, person, review } from '../requests'
import { AssistantTranscript } from './AssistantTranscript'
import { AttentionLog } from './AttentionLog'
import css from './CandidateReport.module.css'
import { Decision } from './Decision'
import { ItemOverview, ItemReviews } from './ItemReview'
import { Notes } from './Notes'
import { Rubric } from './Rubric'
import { ShareReport } from './ShareReport'

/** A candidate's report, with the team's review of them. */
export function CandidateReport({ of, team }: { of: Person; team: Team }) {
  const query = useQuery(person(of))
  useTitle(query.data?.name ?? 'Candidate')
  return (
    <Loaded query={query}>
      {found => (
        <>
          {found.is_test && (
            <Alert color="marigold" variant="light" mb="md" title="Test drive">
              A member of the team took the assessment to try it. It is not part of the results.
            </Alert>
          )}
          <Neighbours of={of} found={found} />
          <Head of={of} team={team} found={found} receivedAt={query.dataUpdatedAt} />
          <div className={css.page}>
            <div>
              {found.finished_at && !found.is_test && (
                <Part title="Similar answers">
                  <CandidateSimilarity where={of} participationId={of.id} />
                </Part>
              )}
              <Part title="Results">
                <ItemOverview found={found} />
                <RejudgedItems
                  of={of}
                  titles={new Map(found.items.map(each => [each.position, each.title]))}
                />
              </Part>
              <Part title="Recorded activity">
                <AttentionLog of={of} found={found} />
              </Part>
              {found.sections.some(each => each.assistant !== 'none') && (
                <Part title="AI assistant">
                  <AssistantTranscript of={of} found={found} />
                </Part>
              )}
              <Part title="Items">
                <ItemReviews of={of} found={found} />
              </Part>
            </div>
            <aside className={css.aside} aria-label="Review">
              <Reviewing of={of} candidate={found} />
            </aside>
          </div>
        </>
      )}
    </Loaded>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={css.part}>
      <Title order={2} fz="1.35rem" mb="xs">
        {title}
      </Title>
      {children}
    </section>
  )
}

function Reviewing({ of, candidate }: { of: Person; candidate: Participation }) {
  const query = useQuery(review(of))
  return (
    <>
      <Loaded query={query}>
        {found => (
          <>
            <Part title="Decision">
              <Decision of={of} review={found} items={candidate.items} />
            </Part>
            <Part title="Rubric">
              <Rubric of={of} review={found} />
            </Part>
          </>
        )}
      </Loaded>
      <Part title="Notes">
        <Notes of={of} />
      </Part>
    </>
  )
}

/** Links back to the table, and to the previous and next candidate in it. */
function Neighbours({ of, found }: { of: Person; found: Participation }) {
  const at = `/teams/${of.teamId}/assessments/${of.assessmentId}`
  return (
    <nav className={css.neighbours} aria-label="Candidates">
      <Link to={`${at}/live`}>All candidates</Link>
      <span>
        {found.newer && <Link to={`${at}/people/${found.newer}`}>← Candidate who started later</Link>}
        {found.older && <Link to={`${at}/people/${found.older}`}>Candidate who started earlier →</Link>}
      </span>
    </nav>
  )
}

interface HeadProps {
  of: Person
  team: Team
  found: Participation
  receivedAt: number
}

function Head({ of, team, found, receivedAt }: HeadProps) {
  return (
    <header className={css.top}>
      <div className={css.name}>
        <Title order={2} fz="2rem">
          {found.name}
        </Title>
        <Text c="dimmed" size="sm">
          {[found.email || 'invited by link', `started ${formatDateTime(found.started_at)}`].join(' · ')}
        </Text>
        <Text size="sm" mt={2}>
          <Standing found={found} receivedAt={receivedAt} />
        </Text>
        <Attempts of={of} found={found} />
      </div>
      <div className={css.total}>
        <p className={css.score}>
          {formatPoints(found.adjusted)} <span>of {found.points}</span>
        </p>
        {found.unfinished > 0 && (
          <p className={css.soft}>not final: {pluralize(found.unfinished, 'answer')} still being judged</p>
        )}
        {found.to_review > 0 && (
          <p className={css.soft}>not final: {pluralize(found.to_review, 'point')} still to review</p>
        )}
        {scoreWithManualPoints(found) && !found.items.some(each => each.is_text) && (
          <p className={css.soft}>{formatPoints(found.score)} from the tests, then changed manually</p>
        )}
        <Group gap="xs" mt={6} justify="flex-end">
          {found.decision !== 'none' && (
            <DecisionBadge decision={found.decision} pending={found.answers_pending} />
          )}
          <Actions of={of} team={team} found={found} />
        </Group>
      </div>
    </header>
  )
}

function Standing({ found, receivedAt }: { found: Participation; receivedAt: number }) {
  const more = found.extra_s + found.given_back_s
  const longer = more > 0 ? ` (with ${formatRoughDuration(more)} of extra time)` : ''
  if (found.finished_at)
    return `${stateOf(found)} after ${formatRoughDuration(describeDuration(found) ?? 0)}${longer}`
  return (
    <>
      In progress, <Left deadline={found.deadline} skew={clockSkewOf(found.server_time, receivedAt)} /> left
      {longer}
    </>
  )
}

function Left({ deadline, skew }: { deadline: string; skew: number }) {
  return <b>{formatElapsed((Date.parse(deadline) - useNow() - skew) / 1000)}</b>
}

function Attempts({ of, found }: { of: Person; found: Participation }) {
  if (found.attempts.length === 0) return null
  return (
    <Text size="sm" mt={2}>
      Other attempts:{' '}
      {found.attempts.map((each, place) => (
        <span key={each.id}>
          {place > 0 && ', '}
          <Link to={`/teams/${of.teamId}/assessments/${of.assessmentId}/people/${each.id}`}>
            {formatDateTime(each.started_at)}
          </Link>
        </span>
      ))}
    </Text>
  )
}

const paperOf = ({ teamId, assessmentId, id }: Person) =>
  `/api/teams/${teamId}/assessments/${assessmentId}/participations/${id}/report.pdf`

function Actions({ of, team, found }: Omit<HeadProps, 'receivedAt'>) {
  const [asking, setAsking] = useState<'share' | 'time' | 'finish' | 'erase'>()
  const go = useNavigate()
  const close = () => setAsking(undefined)
  const author = atLeast(team, 'author')
  const ended = found.finished_by === 'candidate' || found.finished_by === 'team'
  return (
    <>
      <Menu position="bottom-end" width={190}>
        <Menu.Target>
          <Button size="xs" variant="default">
            Actions
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => window.print()}>Print</Menu.Item>
          <Menu.Item component="a" href={paperOf(of)} download>
            Download report (PDF)
          </Menu.Item>
          {author && <Menu.Item onClick={() => setAsking('share')}>Share by link</Menu.Item>}
          {author && !ended && <Menu.Item onClick={() => setAsking('time')}>Change extra time</Menu.Item>}
          {author && !found.finished_at && <Menu.Item onClick={() => setAsking('finish')}>End now</Menu.Item>}
          {atLeast(team, 'owner') && (
            <Menu.Item c="var(--g-bad)" onClick={() => setAsking('erase')}>
              Delete all data
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {asking === 'share' && <ShareReport of={of} onClose={close} />}
      {asking === 'time' && <ExtraTimeDialog of={of} row={found} onClose={close} />}
      {asking === 'finish' && <FinishDialog of={of} row={found} onClose={close} />}
      {asking === 'erase' && (
        <EraseDialog
          of={of}
          row={found}
          onClose={close}
          onErased={() => go('../../live', { relative: 'path' })}
        />
      )}
    </>
  )
}
