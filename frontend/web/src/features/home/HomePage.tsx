import { Alert, Anchor, Button, Container, Group, Skeleton, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useRef } from 'react'
import { Link, useLocation } from 'react-router'
import type { Schemas } from '@/api/client'
import { catalogueSummary, firstChallenges, me, tracks } from '@/api/queries'
import { ChallengeCard, TrackCard } from '@/features/catalogue'
import { useTitle } from '@/shared/hooks/useTitle'
import css from '@/shared/ui/Page.module.css'
import { Loaded } from '@/shared/ui/QueryStates'
import { LiveExample } from './LiveExample'

const ContinueLearning = lazy(() => import('./ContinueLearning'))

const EASY = 6
// The section that needs no others. The catalogue is in alphabetical order, so it begins with the losses of alignment.
const FIRST_SECTION = 'tensors'
const PROMISES = [
  [
    'Judged by behaviour',
    'Tests check values, gradients, state and memory on fresh random inputs. Any correct answer passes, however it is written.',
  ],
  [
    'Results in a fifth of a second',
    'Your code starts in a warm process. You see each test result as it arrives, and where your tensor differs.',
  ],
  [
    'Tests that are tested',
    'Before a challenge is published, its tests must reject wrong answers, sabotaged answers and mutants of the reference answer.',
  ],
  [
    'Nothing to leak',
    'Your code runs in a container that never contains a test, an expected value or a verdict.',
  ],
] as const

export function Home() {
  useTitle()
  const easy = useQuery(firstChallenges(FIRST_SECTION, EASY))
  const summary = useQuery(catalogueSummary).data
  const ways = useQuery(tracks)
  const { account: known, expected } = useExpected()
  // Running the example creates a guest account. The introduction must stay while the example runs.
  const introduced = useRef(false)
  introduced.current ||= !known && !expected
  const account = introduced.current && known?.role === 'guest' ? null : known
  return (
    <Container size="lg">
      {!known && <DeletedNotice />}
      {account ? (
        <Suspense fallback={<Reserved />}>
          <ContinueLearning account={account} />
        </Suspense>
      ) : expected ? (
        <Reserved />
      ) : (
        <Hero summary={summary} />
      )}
      {!account && (
        <section className={css.band}>
          <div className={css.promise}>
            {PROMISES.map(([name, text]) => (
              <div key={name}>
                <Title order={2} fz="1.15rem" mb={6}>
                  {name}
                </Title>
                <Text c="dimmed" size="sm" lh={1.6}>
                  {text}
                </Text>
              </div>
            ))}
          </div>
          <Text mt="xl">
            For interviewers: timed assessments from these challenges or your own, with a factual record of
            what each candidate did.{' '}
            <Anchor component={Link} to="/teams" inherit>
              Create a team
            </Anchor>
          </Text>
        </section>
      )}
      {ways.data?.length !== 0 && (
        <section className={css.band}>
          <Title order={2} mb="lg">
            Tracks
          </Title>
          <Loaded query={ways}>
            {items => (
              <div className={css.grid}>
                {items.map(each => (
                  <TrackCard key={each.id} track={each} />
                ))}
              </div>
            )}
          </Loaded>
        </section>
      )}
      <section className={css.band}>
        <Group justify="space-between" align="baseline" mb="lg">
          <Title order={2}>Good first challenges</Title>
          <Link to="/catalogue?difficulty=easy">All easy challenges</Link>
        </Group>
        <Loaded query={easy}>
          {items => (
            <div className={css.grid}>
              {items.map(each => (
                <ChallengeCard key={each.slug} challenge={each} />
              ))}
            </div>
          )}
        </Loaded>
      </section>
    </Container>
  )
}

/** Reserves the space of what a returning user sees first. */
const Reserved = () => <Skeleton h={236} my="xl" radius={14} />

const HERE = 'somebody-here'

/** Whether a user is signed in. While that loads, whether one was last time, so that the page waits instead of jumping. */
function useExpected() {
  const query = useQuery(me)
  const account = query.data ?? null
  useEffect(() => {
    if (query.data) localStorage.setItem(HERE, '1')
    else if (query.isSuccess) localStorage.removeItem(HERE)
  }, [query.data, query.isSuccess])
  return { account, expected: query.isPending && localStorage.getItem(HERE) !== null }
}

/** Tells people who come from the account page that their account was deleted. */
function DeletedNotice() {
  const { state } = useLocation()
  if (!state?.accountDeleted) return null
  return (
    <Alert variant="light" role="status" mb="xl">
      Your account was deleted.
    </Alert>
  )
}

/** The introduction for new visitors. */
function Hero({ summary }: { summary: Schemas['CatalogueSummary'] | undefined }) {
  const { challenges, topics } = summary ?? { challenges: 99, topics: 99 }
  const first = summary?.start
  return (
    <section className={css.hero}>
      <div>
        <Title order={1}>Prove that you can write PyTorch</Title>
        <p className={css.lead}>
          Attention, optimizers, autograd, training loops: write them, and hidden tests tell you what works
          and what does not.
          {/* Reserves the space until the numbers have loaded. */}
          <span style={{ visibility: summary ? 'visible' : 'hidden' }}>
            {` ${challenges} challenges and ${topics} topics, from your first tensor to a language model’s KV cache.`}
          </span>
        </p>
        <Group>
          <Button component={Link} size="md" to={first ? `/challenges/${first}` : '/catalogue'}>
            Start with attention
          </Button>
          <Button component={Link} size="md" variant="default" to="/catalogue">
            Browse challenges
          </Button>
        </Group>
      </div>
      <LiveExample slug={first ?? undefined} />
    </section>
  )
}
