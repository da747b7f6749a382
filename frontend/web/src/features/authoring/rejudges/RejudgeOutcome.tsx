import { Anchor, Button, Group, SegmentedControl, Table, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { formatOptionalDateTime, formatPoints, pluralize } from '@/shared/format/numbers'
import { ConfirmButton } from '@/shared/forms/ConfirmButton'
import { Dialog } from '@/shared/ui/Dialog'
import { PagedList } from '@/shared/ui/PagedList'
import { ErrorMessage } from '@/shared/ui/QueryStates'
import { VERDICTS } from '@/shared/verdicts'
import ownCss from '../Authoring.module.css'
import css from './Rejudge.module.css'
import { type Of, type Outcome, type Rejudge, useDecideRejudge, useOutcomes } from './requests'

type Verdict = Outcome['verdict_before']

const nameOf = (verdict: Verdict) => (verdict ? VERDICTS[verdict].name : 'no verdict')
const candidates = (value: number) => pluralize(value, 'candidate')

/** After all answers are rejudged: what would change, and the decision to apply or discard it. */
export function RejudgeOutcome({ of, rejudge, writes }: { of: Of; rejudge: Rejudge; writes: boolean }) {
  return (
    <>
      <section className={css.card} aria-label="Ready to apply">
        <Title order={3} fz="1.15rem">
          {rejudge.changed
            ? `Version ${rejudge.version} changes results for ${candidates(rejudge.changed)}`
            : `Version ${rejudge.version} changes no results`}
        </Title>
        {rejudge.never_lower && (
          <Text size="sm" c="dimmed">
            Scores are never lowered: answers whose new result is lower keep their earlier one.
          </Text>
        )}
        <Figures rejudge={rejudge} />
        <Moves rejudge={rejudge} />
        {writes && <Decide of={of} rejudge={rejudge} />}
      </section>
      <Outcomes of={of} rejudge={rejudge} />
    </>
  )
}

function Figures({ rejudge }: { rejudge: Rejudge }) {
  const figures = [
    [rejudge.judged, 'answers rejudged'],
    [rejudge.changed, 'candidates affected'],
    [rejudge.people - rejudge.changed, 'candidates not affected'],
  ] as const
  return (
    <dl className={css.figures}>
      {figures.map(([figure, words]) => (
        <div key={words}>
          <dt>{words}</dt>
          <dd>{figure}</dd>
        </div>
      ))}
    </dl>
  )
}

/** How many answers changed from which verdict to which. */
function Moves({ rejudge }: { rejudge: Rejudge }) {
  const faults = rejudge.outcomes.reduce((sum, each) => sum + (each.after === 'JE' ? each.count : 0), 0)
  const moved = rejudge.outcomes.filter(each => each.before !== each.after && each.after !== 'JE')
  return (
    <>
      {moved.length > 0 && (
        <ul className={css.moves} aria-label="Verdicts of answers">
          {moved.map(each => (
            <li key={`${each.before} ${each.after}`}>
              {nameOf(each.before)} → {nameOf(each.after)} <b>{each.count}</b>
            </li>
          ))}
        </ul>
      )}
      {faults > 0 && (
        <Text size="sm" c="dimmed" mt="sm">
          The judge failed on {pluralize(faults, 'answer')} because of an error on our side.{' '}
          {faults === 1 ? 'Its previous result still counts.' : 'Their previous results still count.'}
        </Text>
      )}
    </>
  )
}

function Decide({ of, rejudge }: { of: Of; rejudge: Rejudge }) {
  const [asking, setAsking] = useState(false)
  const decide = useDecideRejudge(of, rejudge)
  return (
    <div className={css.deeds}>
      <Button onClick={() => setAsking(true)}>Apply</Button>
      <ConfirmButton label="Discard" title="Discard this rejudge?" act={() => decide.mutateAsync('drop')}>
        <Text size="sm">All results stay as they are. You can start another rejudge.</Text>
      </ConfirmButton>
      {asking && (
        <Dialog title={`Apply version ${rejudge.version}?`} onClose={() => setAsking(false)}>
          <Text size="sm">
            {rejudge.changed
              ? `Verdicts or points change for ${candidates(rejudge.changed)} immediately. Reports show the previous results too.`
              : 'No verdicts or points change. Once you apply it, the answers count as judged with this version.'}{' '}
            This cannot be undone.
          </Text>
          {decide.error && <ErrorMessage error={decide.error} />}
          <Group justify="flex-end" mt="lg">
            <Button variant="default" onClick={() => setAsking(false)}>
              Cancel
            </Button>
            <Button loading={decide.isPending} onClick={() => decide.mutate('apply')}>
              Apply
            </Button>
          </Group>
        </Dialog>
      )}
    </div>
  )
}

/** Each candidate's result before and after. */
function Outcomes({ of, rejudge }: { of: Of; rejudge: Rejudge }) {
  const [shown, setShown] = useState(rejudge.changed ? 'changed' : 'same')
  const query = useOutcomes(of, rejudge, shown === 'changed')
  return (
    <section className={ownCss.part}>
      <Group justify="space-between" mb="sm">
        <Title order={3} fz="1.15rem">
          By candidate
        </Title>
        <SegmentedControl
          size="xs"
          aria-label="Show"
          value={shown}
          onChange={setShown}
          data={[
            { value: 'changed', label: `Changed ${rejudge.changed}` },
            { value: 'same', label: `Unchanged ${rejudge.people - rejudge.changed}` },
          ]}
        />
      </Group>
      <PagedList query={query} empty={shown === 'changed' ? 'No one is affected.' : 'Everyone is affected.'}>
        {items => <Rows teamId={of.teamId} items={items} />}
      </PagedList>
    </section>
  )
}

function Rows({ teamId, items }: { teamId: string; items: Outcome[] }) {
  return (
    <Table.ScrollContainer minWidth={660}>
      <Table className={css.table} verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Candidate</Table.Th>
            <Table.Th>Result</Table.Th>
            <Table.Th ta="right">Points</Table.Th>
            <Table.Th ta="right">Total</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {items.map(item => (
            <Table.Tr key={`${item.participation_id} ${item.position}`}>
              <Table.Th scope="row" className={css.name}>
                <Anchor
                  component={Link}
                  to={`/teams/${teamId}/assessments/${item.assessment_id}/people/${item.participation_id}`}
                >
                  {item.name}
                </Anchor>
                <Text size="xs" c="dimmed">
                  {item.assessment}
                </Text>
              </Table.Th>
              <Table.Td>
                <FromTo
                  before={nameOf(item.verdict_before)}
                  after={nameOf(item.verdict_after)}
                  good={item.verdict_after === 'AC'}
                />
              </Table.Td>
              <Table.Td ta="right">
                <ScoreChange before={item.score_before} after={item.score_after} /> of {item.points}
              </Table.Td>
              <Table.Td ta="right">
                <ScoreChange before={item.total_before} after={item.total_after} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

/** The values before and after; a single value if they are equal. */
function FromTo({ before, after, good }: { before: string; after: string; good?: boolean }) {
  if (before === after) return before
  return (
    <>
      <span className={css.before}>{before} →</span>{' '}
      <b className={css.after} data-good={good ?? false}>
        {after}
      </b>
    </>
  )
}

export function ScoreChange({ before, after }: { before: number; after: number }) {
  const by = after - before
  return (
    <>
      <FromTo before={formatPoints(before)} after={formatPoints(after)} />
      {by !== 0 && (
        <span className={by > 0 ? css.up : css.down}>
          {' '}
          ({by > 0 ? '+' : '−'}
          {formatPoints(Math.abs(by))})
        </span>
      )}
    </>
  )
}

/** Earlier rejudges that were applied or discarded. An applied one expands to show its changes. */
export function EarlierRejudges({ of, items }: { of: Of; items: Rejudge[] }) {
  const [params, setParams] = useSearchParams()
  const open = params.get('of') ?? ''
  const show = (id: string) => setParams(id ? { of: id } : {}, { replace: true, preventScrollReset: true })
  return (
    <section className={ownCss.part}>
      <Title order={3} fz="1.15rem" mb="xs">
        Earlier rejudges
      </Title>
      <ul className={css.earlier}>
        {items.map(item => (
          <li key={item.id}>
            <Group justify="space-between" gap="xs">
              <Text size="sm">
                <b>Version {item.version}</b> {item.state} {formatOptionalDateTime(item.ended_at)}
                {item.ended_by && ` by ${item.ended_by}`}
                {item.state === 'applied' && `: ${item.changed} of ${candidates(item.people)} affected`}.{' '}
                {item.reason}
              </Text>
              {item.people > 0 && (
                <Button
                  size="compact-sm"
                  variant="subtle"
                  aria-expanded={open === item.id}
                  onClick={() => show(open === item.id ? '' : item.id)}
                >
                  {open === item.id ? 'Hide candidates' : 'Show candidates'}
                </Button>
              )}
            </Group>
            {open === item.id && <Outcomes of={of} rejudge={item} />}
          </li>
        ))}
      </ul>
    </section>
  )
}
