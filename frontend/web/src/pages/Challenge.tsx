import { Anchor, Container, Group, Loader, Tabs, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useParams, useSearchParams } from 'react-router'
import type { Schemas } from '../api/client'
import { challenge, useMe } from '../api/queries'
import { Neighbours } from '../catalogue/Neighbours'
import { Editorial } from '../challenge/Editorial'
import { Hints } from '../challenge/Hints'
import { History } from '../challenge/History'
import type { Keeper } from '../challenge/keeper'
import { useDraft } from '../challenge/useDraft'
import { Workplace } from '../challenge/Workplace'
import { Difficulty } from '../parts/Difficulty'
import { Code, Markdown } from '../parts/Markdown'
import { Loaded } from '../parts/States'
import { useTitle } from '../parts/title'
import { ReportError } from '../reports/ReportError'
import css from './Challenge.module.css'

type Found = Schemas['ChallengeView']
const [LEAST, MOST, STEP] = [25, 70, 3]

export function Component() {
  const { slug = '' } = useParams()
  return <Work slug={slug} />
}

/** A challenge with all that is needed to work on it; an interview shows it too. */
export function Work({ slug }: { slug: string }) {
  const query = useQuery(challenge(slug))
  useTitle(query.data?.title)
  if (query.data) return <Split key={slug} challenge={query.data} />
  return (
    <Container size="lg" py="xl">
      <Loaded page query={query}>
        {() => null}
      </Loaded>
    </Container>
  )
}

function Split({ challenge: found }: { challenge: Found }) {
  const [left, setLeft] = useState(46)
  const [params] = useSearchParams()
  const { draft, keeper } = useDraft(found.slug, found.starter)
  const within = (value: number) => setLeft(Math.max(LEAST, Math.min(MOST, value)))
  return (
    <div className={css.split} style={{ '--left': `${left}%` } as React.CSSProperties}>
      <div className={css.left}>
        <Reading challenge={found} draft={draft?.text ?? found.starter} keeper={keeper} />
      </div>
      <button
        type="button"
        className={css.grip}
        aria-label="Width of the statement; use the arrow keys"
        onPointerDown={event => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={event => event.buttons === 1 && within((100 * event.clientX) / window.innerWidth)}
        onKeyDown={event => {
          if (event.key === 'ArrowLeft') within(left - STEP)
          if (event.key === 'ArrowRight') within(left + STEP)
        }}
      />
      {draft && keeper ? (
        <Workplace
          challenge={found}
          draft={draft}
          keeper={keeper}
          {...(params.get('answer') && { shown: params.get('answer') ?? '' })}
        />
      ) : (
        <Loader m="md" size="sm" />
      )}
    </div>
  )
}

function Reading(props: { challenge: Found; draft: string; keeper: Keeper | null }) {
  const { challenge: found, draft, keeper } = props
  const [params, setParams] = useSearchParams()
  const signedIn = useMe() !== null
  return (
    <>
      <Group justify="space-between" wrap="nowrap">
        <Text c="dimmed" size="sm">
          <Anchor component={Link} to={`/catalogue?section=${found.section}`} c="inherit">
            {found.section}
          </Anchor>
        </Text>
        <Neighbours slug={found.slug} />
      </Group>
      <Title order={1} fz="1.7rem">
        {found.title}
      </Title>
      <div className={css.facts}>
        <Difficulty level={found.difficulty} />
        <span>{found.form === 'fix' ? 'fix what is there' : 'write it'}</span>
        <span>{found.minutes} min</span>
        <span>
          {found.tests_count} tests, {found.points} points
        </span>
      </div>
      <Tabs
        value={params.get('tab') ?? 'statement'}
        onChange={tab => setParams(tab && tab !== 'statement' ? { tab } : {}, { replace: true })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="statement">Statement</Tabs.Tab>
          <Tabs.Tab value="hints">Hints</Tabs.Tab>
          <Tabs.Tab value="samples">Samples</Tabs.Tab>
          <Tabs.Tab value="history">My answers</Tabs.Tab>
          <Tabs.Tab value="editorial">Editorial</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="statement">
          <Markdown source={found.statement} />
          <Rules challenge={found} />
          <ReportError about="challenge" target={found.slug} mt="md" />
        </Tabs.Panel>
        <Tabs.Panel value="hints">
          <Hints challenge={found} signedIn={signedIn} />
        </Tabs.Panel>
        <Tabs.Panel value="samples">
          <Text size="sm" c="dimmed" mb="md">
            These are judged by Run, and shown with everything they say. The other tests are not shown.
          </Text>
          {found.samples.map(each => (
            <section key={each.name}>
              <Title order={2} fz="0.98rem" mt="lg">
                {each.title}
              </Title>
              <Code source={each.source} />
            </section>
          ))}
        </Tabs.Panel>
        <Tabs.Panel value="history">
          <History
            challenge={found}
            signedIn={signedIn}
            draft={draft}
            onLoad={text => keeper?.change(text)}
            answer={params.get('answer')}
            onAnswer={answer => setParams({ tab: 'history', ...(answer && { answer }) }, { replace: true })}
          />
        </Tabs.Panel>
        <Tabs.Panel value="editorial">
          <Editorial slug={found.slug} signedIn={signedIn} draft={draft} />
        </Tabs.Panel>
      </Tabs>
    </>
  )
}

function Rules({ challenge: found }: { challenge: Found }) {
  return (
    <>
      <Title order={2} fz="1.1rem" mt="xl" mb={6}>
        Limits
      </Title>
      <Text size="sm" c="dimmed">
        {found.limits.cpu_s} s of CPU time for all tests, {found.limits.cpu_s_per_call} s a call,{' '}
        {found.limits.memory_mb} MB.
        {found.forbidden.names.length > 0 && ' Some names are not allowed; the statement says which.'}
      </Text>
      {found.proof && (
        <Text size="sm" c="dimmed" mt={6}>
          These tests were tested: they reject {found.proof.wrong} wrong answers written by hand,{' '}
          {found.proof.saboteurs} spoilt ones, and {Math.round(100 * found.proof.kill_rate)} % of{' '}
          {found.proof.mutants} mutants of the solution; they accept {found.proof.accepted} right ones,
          written differently.
        </Text>
      )}
    </>
  )
}
