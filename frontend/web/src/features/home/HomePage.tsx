import { Anchor, Button, Container, Group, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { challenges, me, topics, tracks } from '@/api/queries'
import { ChallengeCard, TrackCard } from '@/features/catalogue'
import { useTitle } from '@/shared/hooks/useTitle'
import css from '@/shared/ui/Page.module.css'
import { Loaded } from '@/shared/ui/QueryStates'
import { ContinueLearning, ContinueLearningSkeleton } from './ContinueLearning'
import { LiveExample } from './LiveExample'

const FIRST = 'scaled-dot-product-attention'
const PROMISES = [
  [
    'Judged by behaviour',
    'Tests check values, gradients, state and memory on fresh random inputs. Any correct answer passes, however it is written.',
  ],
  [
    'Results in a tenth of a second',
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
  const all = useQuery(challenges)
  const pages = useQuery(topics)
  const ways = useQuery(tracks)
  const { account: known, expected } = useExpected()
  // Running the example creates a guest account. The introduction must stay while the example runs.
  const introduced = useRef(false)
  introduced.current ||= !known && !expected
  const account = introduced.current && known?.role === 'guest' ? null : known
  const first = all.data?.find(each => each.slug === FIRST) ?? all.data?.[0]
  const counts = all.data && pages.data && ([all.data.length, pages.data.length] as const)
  return (
    <Container size="lg">
      {account ? (
        <ContinueLearning account={account} />
      ) : expected ? (
        <ContinueLearningSkeleton />
      ) : (
        <Hero first={first?.slug} counts={counts} />
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
        <Loaded query={all}>
          {items => (
            <div className={css.grid}>
              {items
                .filter(each => each.difficulty === 'easy')
                .slice(0, 6)
                .map(each => (
                  <ChallengeCard key={each.slug} challenge={each} />
                ))}
            </div>
          )}
        </Loaded>
      </section>
    </Container>
  )
}

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

/** The introduction for new visitors. */
function Hero({ first, counts }: { first?: string; counts?: readonly [number, number] }) {
  const [challenges, topics] = counts ?? [99, 99]
  return (
    <section className={css.hero}>
      <div>
        <Title order={1}>Prove that you can write PyTorch</Title>
        <p className={css.lead}>
          Attention, optimizers, autograd, training loops: write them, and hidden tests tell you what works
          and what does not.
          {/* Reserves the space until the numbers have loaded. */}
          <span style={{ visibility: counts ? 'visible' : 'hidden' }}>
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
      <LiveExample slug={first} />
    </section>
  )
}
