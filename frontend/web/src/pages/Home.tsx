import { Anchor, Button, Container, Group, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link } from 'react-router'
import { challenges, me, topics, tracks } from '../api/queries'
import { Onwards, Waiting } from '../home/Onwards'
import { ChallengeCard, TrackCard } from '../parts/Cards'
import { Loaded } from '../parts/States'
import { useTitle } from '../parts/title'
import css from './Home.module.css'

const FIRST = 'scaled-dot-product-attention'
const PROMISES = [
  [
    'Judged by behaviour',
    'Values, gradients, state and memory on fresh random inputs. Any right answer passes, however it is written.',
  ],
  [
    'In a tenth of a second',
    'Processes are warm and waiting. You see each test as it ends, and where your tensor differs.',
  ],
  [
    'Tests that were tested',
    'Every challenge has survived wrong answers, saboteurs and mutants of its own solution before you see it.',
  ],
  [
    'Nothing to peek at',
    'Your code runs in a container that never holds a test, an expected value or a verdict.',
  ],
] as const

export function Home() {
  useTitle()
  const all = useQuery(challenges)
  const pages = useQuery(topics)
  const ways = useQuery(tracks)
  const { account, expected } = useExpected()
  const first = all.data?.find(each => each.slug === FIRST) ?? all.data?.[0]
  const counts = all.data && pages.data && ([all.data.length, pages.data.length] as const)
  return (
    <Container size="lg">
      {account ? (
        <Onwards account={account} />
      ) : expected ? (
        <Waiting />
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
            For interviewers: assessments with a clock, from these challenges or your own, with what each
            candidate did as facts.{' '}
            <Anchor component={Link} to="/teams" inherit>
              Start with a team
            </Anchor>
          </Text>
        </section>
      )}
      {ways.data?.length !== 0 && (
        <section className={css.band}>
          <Title order={2} mb="lg">
            Ways through
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
          <Link to="/catalogue?difficulty=easy">All easy ones</Link>
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

/** Who is signed in, and, while that is asked, whether somebody was last time: then the page waits instead of jumping. */
function useExpected() {
  const query = useQuery(me)
  const account = query.data ?? null
  useEffect(() => {
    if (query.data) localStorage.setItem(HERE, '1')
    else if (query.isSuccess) localStorage.removeItem(HERE)
  }, [query.data, query.isSuccess])
  return { account, expected: query.isPending && localStorage.getItem(HERE) !== null }
}

/** For somebody who is new here. */
function Hero({ first, counts }: { first?: string; counts?: readonly [number, number] }) {
  const [challenges, topics] = counts ?? [99, 99]
  return (
    <section className={css.hero}>
      <div>
        <Title order={1}>Prove that you can write PyTorch</Title>
        <p className={css.lead}>
          Attention, optimizers, autograd, training loops: write them, and hidden tests tell you what holds
          and what does not.
          {/* Its room is there before the numbers are. */}
          <span style={{ visibility: counts ? 'visible' : 'hidden' }}>
            {` ${challenges} challenges and ${topics} topics, from the first tensor to a language model's cache.`}
          </span>
        </p>
        <Group>
          <Button component={Link} size="md" to={first ? `/challenges/${first}` : '/catalogue'}>
            Start with attention
          </Button>
          <Button component={Link} size="md" variant="default" to="/catalogue">
            See everything
          </Button>
        </Group>
      </div>
      <Glimpse />
    </section>
  )
}

/** What judging looks like: an answer that is nearly right. */
function Glimpse() {
  return (
    <figure className={css.card} aria-label="An answer and what its tests say" style={{ margin: 0 }}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll, by the keyboard too */}
      <pre tabIndex={0}>
        {`def attention(q, k, v, mask=None):
    scores = q @ k.mT / q.size(-1) ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, -1e9)
    return scores.softmax(-1) @ v`}
      </pre>
      <ul className={css.tests}>
        <li>
          <span className={css.pass}>✓</span> values of a batch of sequences
        </li>
        <li>
          <span className={css.pass}>✓</span> gradients of q, k and v
        </li>
        <li>
          <span className={css.fail}>✗</span> a row that may attend to nothing is zero
        </li>
        <li>
          <span className={css.fail}>✗</span> scores of ten billion, of either sign
        </li>
      </ul>
    </figure>
  )
}
