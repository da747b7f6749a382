import { Button, Group, Menu, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { when } from '../account/when'
import { RejudgedItems } from '../own/Notices'
import { Loaded } from '../parts/States'
import { useTitle } from '../parts/title'
import { atLeast, type Team } from '../team/TeamFrame'
import { Erase, ExtraTime, FinishNow } from './Actions'
import { Decided } from './Decided'
import { Decision } from './Decision'
import { Items, Overview } from './Items'
import { Notes } from './Notes'
import { Noticed } from './Noticed'
import { type Participation, type Person, person, review } from './queries'
import css from './Report.module.css'
import { Rubric } from './Rubric'
import { useNow } from './useNow'
import { counted, lasting, points, skewOf, stateOf, tookOf, withHand } from './words'

/** Everything about one candidate, with what the team says of him. */
export function Report({ of, team }: { of: Person; team: Team }) {
  const query = useQuery(person(of))
  useTitle(query.data?.name ?? 'Candidate')
  return (
    <Loaded query={query}>
      {found => (
        <>
          <Neighbours of={of} found={found} />
          <Head of={of} team={team} found={found} receivedAt={query.dataUpdatedAt} />
          <div className={css.page}>
            <div>
              <Part title="Results">
                <Overview found={found} />
                <RejudgedItems
                  of={of}
                  titles={new Map(found.items.map(each => [each.position, each.title]))}
                />
              </Part>
              <Part title="What was noticed">
                <Noticed of={of} found={found} />
              </Part>
              <Part title="Item by item">
                <Items of={of} found={found} />
              </Part>
            </div>
            <aside className={css.aside} aria-label="Review">
              <Reviewing of={of} />
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

function Reviewing({ of }: { of: Person }) {
  const query = useQuery(review(of))
  return (
    <>
      <Loaded query={query}>
        {found => (
          <>
            <Part title="Decision">
              <Decision of={of} review={found} />
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

/** The way back to the table, and to those before and after in it. */
function Neighbours({ of, found }: { of: Person; found: Participation }) {
  const at = `/teams/${of.teamId}/assessments/${of.assessmentId}`
  return (
    <nav className={css.neighbours} aria-label="Candidates">
      <Link to={`${at}/live`}>All candidates</Link>
      <span>
        {found.newer && <Link to={`${at}/people/${found.newer}`}>← Started later</Link>}
        {found.older && <Link to={`${at}/people/${found.older}`}>Started earlier →</Link>}
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
          {[found.email || 'invited by a link', `started ${when(found.started_at)}`].join(' · ')}
        </Text>
        <Text size="sm" mt={2}>
          <Standing found={found} receivedAt={receivedAt} />
        </Text>
        <Attempts of={of} found={found} />
      </div>
      <div className={css.total}>
        <p className={css.score}>
          {points(found.adjusted)} <span>of {found.points}</span>
        </p>
        {withHand(found) && <p className={css.soft}>{points(found.score)} by the tests, the rest by hand</p>}
        <Group gap="xs" mt={6} justify="flex-end">
          {found.decision !== 'none' && <Decided decision={found.decision} />}
          <Actions of={of} team={team} found={found} />
        </Group>
      </div>
    </header>
  )
}

function Standing({ found, receivedAt }: { found: Participation; receivedAt: number }) {
  const more = found.extra_s + found.given_back_s
  const longer = more > 0 ? ` (${lasting(more)} longer than others)` : ''
  if (found.finished_at) return `${stateOf(found)} after ${lasting(tookOf(found) ?? 0)}${longer}`
  return (
    <>
      Running, <Left deadline={found.deadline} skew={skewOf(found.server_time, receivedAt)} /> left{longer}
    </>
  )
}

function Left({ deadline, skew }: { deadline: string; skew: number }) {
  return <b>{counted((Date.parse(deadline) - useNow() - skew) / 1000)}</b>
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
            {when(each.started_at)}
          </Link>
        </span>
      ))}
    </Text>
  )
}

const paperOf = ({ teamId, assessmentId, id }: Person) =>
  `/api/teams/${teamId}/assessments/${assessmentId}/participations/${id}/report.pdf`

function Actions({ of, team, found }: Omit<HeadProps, 'receivedAt'>) {
  const [asking, setAsking] = useState<'time' | 'finish' | 'erase'>()
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
            Report (PDF)
          </Menu.Item>
          {author && !ended && <Menu.Item onClick={() => setAsking('time')}>Extra time</Menu.Item>}
          {author && !found.finished_at && (
            <Menu.Item onClick={() => setAsking('finish')}>Finish now</Menu.Item>
          )}
          {atLeast(team, 'owner') && (
            <Menu.Item c="var(--g-bad)" onClick={() => setAsking('erase')}>
              Erase everything
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {asking === 'time' && <ExtraTime of={of} row={found} onClose={close} />}
      {asking === 'finish' && <FinishNow of={of} row={found} onClose={close} />}
      {asking === 'erase' && (
        <Erase of={of} row={found} onClose={close} onErased={() => go('../../live', { relative: 'path' })} />
      )}
    </>
  )
}
