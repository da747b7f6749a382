import { Anchor, Container, Group, Loader, Skeleton, Tabs, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useRef } from 'react'
import { Link, useParams, useSearchParams } from 'react-router'
import type { Schemas } from '@/api/client'
import { challenge, useMe } from '@/api/queries'
import { BookmarkButton, LazyNoteEditor } from '@/features/bookmarks'
import { Neighbours } from '@/features/catalogue'
import type { DraftAutosave } from '@/features/drafts'
import { useDraft } from '@/features/drafts'
import { ReportButton } from '@/features/feedback'
import { StatusMark } from '@/features/progress'
import { LazySubmissionHistory } from '@/features/submissions'
import { pluralize } from '@/shared/format/numbers'
import { useTitle } from '@/shared/hooks/useTitle'
import { Markdown } from '@/shared/markdown/Markdown'
import { Difficulty } from '@/shared/ui/Difficulty'
import { Loaded } from '@/shared/ui/QueryStates'
import { DiscussionTab, DiscussionTitle } from './DiscussionTab'
import { FollowUp } from './FollowUp'
import { Hints } from './Hints'
import { Similar, Solvers } from './Similar'
import { SplitPane } from './SplitPane'
import { Download, Given, Limits, Samples } from './StatementParts'
import { Workspace } from './Workspace'
import css from './Workspace.module.css'

const Editorial = lazy(() => import('./Editorial'))

type Found = Schemas['ChallengeView']

export function Component() {
  const { slug = '' } = useParams()
  return <Work slug={slug} />
}

/** A challenge with everything needed to work on it. Interviews use it too. */
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
    <SplitPane
      title={found.title}
      left={<Reading challenge={found} draft={draft?.text ?? found.starter} keeper={keeper} />}
      right={
        draft && keeper ? (
          <Workspace
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

function Reading(props: { challenge: Found; draft: string; keeper: DraftAutosave | null }) {
  const { challenge: found, draft, keeper } = props
  const [params, setParams] = useSearchParams()
  const signedIn = useMe() !== null
  const tabs = useRef<HTMLDivElement>(null)
  // Narrow screens do not fit all tabs, so scroll to the one that the address names.
  useEffect(() => {
    const tab = tabs.current?.querySelector<HTMLElement>('[aria-selected="true"]')
    if (tabs.current && tab)
      tabs.current.scrollLeft = tab.offsetLeft - (tabs.current.clientWidth - tab.offsetWidth) / 2
  }, [])
  return (
    <>
      <Group justify="space-between" wrap="nowrap">
        <Text c="dimmed" size="sm">
          <Anchor
            component={Link}
            to={`/catalogue?section=${found.section}`}
            c="inherit"
            className={css.section}
          >
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
        <span>{found.form === 'fix' ? 'find and fix' : 'write code'}</span>
        <span>{found.minutes} min</span>
        <span>{pluralize(found.tests_count, 'test')}</span>
        {found.scored && (
          <Anchor component={Link} to={`/challenges/${found.slug}/speed`} inherit>
            {found.scored.quantity === 'speed' ? 'speed board' : 'memory board'}
          </Anchor>
        )}
        <BookmarkButton slug={found.slug} />
        <StatusMark slug={found.slug} />
      </div>
      {found.follow_up_to && <FollowUp base={found.follow_up_to} signedIn={signedIn} keeper={keeper} />}
      <Tabs
        value={params.get('tab') ?? 'statement'}
        onChange={tab => setParams(tab && tab !== 'statement' ? { tab } : {}, { replace: true })}
        keepMounted={false}
      >
        <Tabs.List mb="md" className={css.tabs} ref={tabs}>
          <Tabs.Tab value="statement">Statement</Tabs.Tab>
          {found.given && <Tabs.Tab value="given">given.py</Tabs.Tab>}
          <Tabs.Tab value="hints">Hints</Tabs.Tab>
          <Tabs.Tab value="samples">Samples</Tabs.Tab>
          <Tabs.Tab value="history">My submissions</Tabs.Tab>
          <Tabs.Tab value="editorial">Editorial</Tabs.Tab>
          <Tabs.Tab value="discussion">
            <DiscussionTitle slug={found.slug} />
          </Tabs.Tab>
          <Tabs.Tab value="notes">Notes</Tabs.Tab>
        </Tabs.List>
        <Suspense fallback={<Skeleton h={240} />}>
          <Tabs.Panel value="statement">
            <Markdown source={found.statement} formulas={`/formulas/${found.slug}.json`} />
            <Rules challenge={found} />
            <Download challenge={found} answer={draft} />
            <Similar slug={found.slug} />
            <ReportButton about="challenge" target={found.slug} mt="md" />
          </Tabs.Panel>
          <Tabs.Panel value="given">
            <Given challenge={found} />
          </Tabs.Panel>
          <Tabs.Panel value="hints">
            <Hints challenge={found} signedIn={signedIn} />
          </Tabs.Panel>
          <Tabs.Panel value="samples">
            <Samples challenge={found} />
          </Tabs.Panel>
          <Tabs.Panel value="history">
            <LazySubmissionHistory
              challenge={found}
              signedIn={signedIn}
              draft={draft}
              onLoad={text => keeper?.change(text)}
              answer={params.get('answer')}
              onAnswer={answer => setParams({ tab: 'history', ...(answer && { answer }) }, { replace: true })}
            />
          </Tabs.Panel>
          <Tabs.Panel value="discussion">
            <DiscussionTab slug={found.slug} signedIn={signedIn} />
          </Tabs.Panel>
          <Tabs.Panel value="notes">
            <LazyNoteEditor slug={found.slug} />
          </Tabs.Panel>
          <Tabs.Panel value="editorial">
            <Editorial slug={found.slug} signedIn={signedIn} draft={draft} />
          </Tabs.Panel>
        </Suspense>
      </Tabs>
    </>
  )
}

function Rules({ challenge: found }: { challenge: Found }) {
  return (
    <>
      <Limits challenge={found} />
      <Solvers slug={found.slug} />
      {found.proof && (
        <Text size="sm" c="dimmed" mt={6}>
          We also test the tests. They reject {found.proof.wrong} handwritten wrong answers,{' '}
          {found.proof.saboteurs} sabotaged answers and {Math.round(100 * found.proof.kill_rate)}% of{' '}
          {found.proof.mutants} mutants of the reference answer, and accept {found.proof.accepted} alternative
          correct answers.
        </Text>
      )}
    </>
  )
}
