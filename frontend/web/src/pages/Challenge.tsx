import { Anchor, Container, Group, Loader, Tabs, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams, useSearchParams } from 'react-router'
import type { Schemas } from '../api/client'
import { challenge, useMe } from '../api/queries'
import { Neighbours } from '../catalogue/Neighbours'
import { Editorial } from '../challenge/Editorial'
import { Hints } from '../challenge/Hints'
import { History } from '../challenge/History'
import type { Keeper } from '../challenge/keeper'
import { Limits, Samples } from '../challenge/Reading'
import { Split } from '../challenge/Split'
import { useDraft } from '../challenge/useDraft'
import { Workplace } from '../challenge/Workplace'
import { Difficulty } from '../parts/Difficulty'
import { Markdown } from '../parts/Markdown'
import { Loaded } from '../parts/States'
import { useTitle } from '../parts/title'
import { ReportError } from '../reports/ReportError'
import css from './Challenge.module.css'

type Found = Schemas['ChallengeView']

export function Component() {
  const { slug = '' } = useParams()
  return <Work slug={slug} />
}

/** A challenge with all that is needed to work on it; an interview shows it too. */
export function Work({ slug }: { slug: string }) {
  const query = useQuery(challenge(slug))
  useTitle(query.data?.title)
  if (query.data) return <Whole key={slug} challenge={query.data} />
  return (
    <Container size="lg" py="xl">
      <Loaded page query={query}>
        {() => null}
      </Loaded>
    </Container>
  )
}

function Whole({ challenge: found }: { challenge: Found }) {
  const [params] = useSearchParams()
  const { draft, keeper } = useDraft(found.slug, found.starter)
  return (
    <Split
      left={<Reading challenge={found} draft={draft?.text ?? found.starter} keeper={keeper} />}
      right={
        draft && keeper ? (
          <Workplace
            challenge={found}
            draft={draft}
            keeper={keeper}
            {...(params.get('answer') && { shown: params.get('answer') ?? '' })}
          />
        ) : (
          <Loader m="md" size="sm" />
        )
      }
    />
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
          <Samples challenge={found} />
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
      <Limits challenge={found} />
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
