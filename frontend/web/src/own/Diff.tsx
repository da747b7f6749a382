import { Anchor, Button, Group, SegmentedControl, Table, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { VERDICTS } from '../challenge/verdicts'
import { points } from '../cohort/data'
import { many, when } from '../desk/format'
import { Sure } from '../desk/Parts'
import { Dialog } from '../parts/Dialog'
import { Pages } from '../parts/Pages'
import { Broken } from '../parts/States'
import ownCss from './Own.module.css'
import css from './Rejudge.module.css'
import { type Of, type Outcome, type Rejudge, useDecide, useOutcomes } from './rejudges'

type Verdict = Outcome['verdict_before']

const nameOf = (verdict: Verdict) => (verdict ? VERDICTS[verdict].name : 'nothing')
const people = (value: number) => many(value, 'person', 'people')

/** Everything is judged: what would change, and the decision. */
export function Ready({ of, rejudge, writes }: { of: Of; rejudge: Rejudge; writes: boolean }) {
  return (
    <>
      <section className={css.card} aria-label="To be decided">
        <Title order={3} fz="1.15rem">
          {rejudge.changed
            ? `Version ${rejudge.version} changes something for ${people(rejudge.changed)}`
            : `Version ${rejudge.version} changes nothing for anybody`}
        </Title>
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
    [rejudge.judged, 'answers judged again'],
    [rejudge.changed, 'people with a change'],
    [rejudge.people - rejudge.changed, 'people without'],
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

/** How many answers went from which verdict to which. */
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
          {many(faults, 'answer')} could not be judged through our fault. What {faults === 1 ? 'it' : 'they'}{' '}
          came to before goes on to count.
        </Text>
      )}
    </>
  )
}

function Decide({ of, rejudge }: { of: Of; rejudge: Rejudge }) {
  const [asking, setAsking] = useState(false)
  const decide = useDecide(of, rejudge)
  return (
    <div className={css.deeds}>
      <Button onClick={() => setAsking(true)}>Apply</Button>
      <Sure label="Drop it" title="Drop this rejudge?" act={() => decide.mutateAsync('drop')}>
        <Text size="sm">Everything goes on to count as it does. You can begin anew.</Text>
      </Sure>
      {asking && (
        <Dialog title={`Apply version ${rejudge.version}?`} onClose={() => setAsking(false)}>
          <Text size="sm">
            {rejudge.changed
              ? `Verdicts or points change for ${people(rejudge.changed)}, all at once. Reports keep what they had before.`
              : 'Nobody’s verdict or points change. The answers count by this version from then on.'}{' '}
            This cannot be taken back.
          </Text>
          {decide.error && <Broken error={decide.error} />}
          <Group justify="flex-end" mt="lg">
            <Button variant="default" onClick={() => setAsking(false)}>
              Not now
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

/** Who has what before and after. */
function Outcomes({ of, rejudge }: { of: Of; rejudge: Rejudge }) {
  const [shown, setShown] = useState(rejudge.changed ? 'changed' : 'same')
  const query = useOutcomes(of, rejudge, shown === 'changed')
  return (
    <section className={ownCss.part}>
      <Group justify="space-between" mb="sm">
        <Title order={3} fz="1.15rem">
          Person by person
        </Title>
        <SegmentedControl
          size="xs"
          aria-label="Whom to show"
          value={shown}
          onChange={setShown}
          data={[
            { value: 'changed', label: `Changed ${rejudge.changed}` },
            { value: 'same', label: `Unchanged ${rejudge.people - rejudge.changed}` },
          ]}
        />
      </Group>
      <Pages
        query={query}
        empty={shown === 'changed' ? 'Nothing changes for anybody.' : 'Something changes for everybody.'}
      >
        {items => <Rows teamId={of.teamId} items={items} />}
      </Pages>
    </section>
  )
}

function Rows({ teamId, items }: { teamId: string; items: Outcome[] }) {
  return (
    <Table.ScrollContainer minWidth={660}>
      <Table className={css.table} verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Person</Table.Th>
            <Table.Th>Verdict</Table.Th>
            <Table.Th ta="right">Points</Table.Th>
            <Table.Th ta="right">In all</Table.Th>
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
                <Change before={item.score_before} after={item.score_after} /> of {item.points}
              </Table.Td>
              <Table.Td ta="right">
                <Change before={item.total_before} after={item.total_after} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

/** What it was and what it is; once, when both are the same. */
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

export function Change({ before, after }: { before: number; after: number }) {
  const by = after - before
  return (
    <>
      <FromTo before={points(before)} after={points(after)} />
      {by !== 0 && (
        <span className={by > 0 ? css.up : css.down}>
          {' '}
          ({by > 0 ? '+' : '−'}
          {points(Math.abs(by))})
        </span>
      )}
    </>
  )
}

/** Rejudges that were decided about; one that was applied opens to what it changed. */
export function Earlier({ of, items }: { of: Of; items: Rejudge[] }) {
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
                <b>Version {item.version}</b> {item.state} {when(item.ended_at)}
                {item.ended_by && ` by ${item.ended_by}`}
                {item.state === 'applied' && `: a change for ${people(item.changed)} of ${item.people}`}.{' '}
                {item.reason}
              </Text>
              {item.people > 0 && (
                <Button
                  size="compact-sm"
                  variant="subtle"
                  aria-expanded={open === item.id}
                  onClick={() => show(open === item.id ? '' : item.id)}
                >
                  {open === item.id ? 'Hide' : 'Who'}
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
