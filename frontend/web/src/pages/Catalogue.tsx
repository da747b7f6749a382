import { Container, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { challenges, topics } from '../api/queries'
import { Filters } from '../catalogue/Filters'
import { asksQuestions, chosenChallenges, chosenTopics, remember, type Wanted } from '../catalogue/selection'
import { Tags } from '../catalogue/Tags'
import { ChallengeCard, TopicCard } from '../parts/Cards'
import { Loaded } from '../parts/States'
import { useTitle } from '../parts/title'
import { statusOf, useProgress } from '../standings/queries'
import { Statuses } from '../standings/Statuses'
import grid from './Home.module.css'

/** Everything, with filters that live in the address: a link to a selection is a link to it. */
export function Component() {
  useTitle('Catalogue')
  const [params, setParams] = useSearchParams()
  useEffect(() => remember(params.toString()), [params])
  const wanted: Wanted = name => params.get(name) ?? ''
  const set = (name: string, value: string | null) =>
    setParams(
      old => {
        const next = new URLSearchParams(old)
        value ? next.set(name, value) : next.delete(name)
        return next
      },
      { replace: true },
    )
  const items = useQuery(challenges)
  const pages = useQuery(topics)
  const progress = useProgress()
  const ofTopics = wanted('view') === 'topics'
  return (
    <Container size="lg" py="xl">
      <Title order={1}>Catalogue</Title>
      <Filters
        wanted={wanted}
        set={set}
        clear={() => setParams(ofTopics ? { view: 'topics' } : {}, { replace: true })}
        challenges={items.data ?? []}
        topics={pages.data ?? []}
      />
      {ofTopics || asksQuestions(wanted) ? (
        <Loaded query={pages}>
          {all => {
            const found = chosenTopics(all, wanted)
            return (
              <Found count={found.length} of={all.length} what={ofTopics ? 'topics' : 'quizzes'}>
                {found.map(each => (
                  <TopicCard key={each.id} topic={each} quiz={!ofTopics} />
                ))}
              </Found>
            )
          }}
        </Loaded>
      ) : (
        <Loaded query={items}>
          {all => {
            const status = wanted('status')
            const found = chosenChallenges(all, wanted).filter(
              each => !status || !progress || statusOf(progress, each.slug) === status,
            )
            return (
              <>
                <Tags all={all} value={wanted('tag')} onChange={value => set('tag', value)} />
                {progress && (
                  <Statuses
                    found={progress}
                    slugs={all.map(each => each.slug)}
                    value={status}
                    onChange={value => set('status', value)}
                  />
                )}
                <Found count={found.length} of={all.length} what="challenges">
                  {found.map(each => (
                    <ChallengeCard key={each.slug} challenge={each} />
                  ))}
                </Found>
              </>
            )
          }}
        </Loaded>
      )}
    </Container>
  )
}

function Found(props: { count: number; of: number; what: string; children: ReactNode }) {
  const { count, of, what } = props
  return (
    <>
      <Text c="dimmed" size="sm" mb="sm" role="status">
        {count === of ? `${of} ${what}` : `${count} of ${of} ${what}`}
        {count === 0 && '. Take a filter away, or look for another word.'}
      </Text>
      <div className={grid.grid}>{props.children}</div>
    </>
  )
}
