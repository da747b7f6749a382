import { Container, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { challenges, topics } from '@/api/queries'
import { StatusFilter, statusOf, useProgress } from '@/features/progress'
import { useTitle } from '@/shared/hooks/useTitle'
import grid from '@/shared/ui/Page.module.css'
import { Loaded } from '@/shared/ui/QueryStates'
import { ChallengeCard, TopicCard } from './Cards'
import { Filters } from './Filters'
import { filterChallenges, filterTopics, hasQuestions, rememberSelection, type Selection } from './selection'
import { Tags } from './Tags'

/** The whole catalogue. The filters are part of the URL, so a selection can be shared as a link. */
export function Component() {
  useTitle('Catalogue')
  const [params, setParams] = useSearchParams()
  useEffect(() => rememberSelection(params.toString()), [params])
  const wanted: Selection = name => params.get(name) ?? ''
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
      {ofTopics || hasQuestions(wanted) ? (
        <Loaded query={pages}>
          {all => {
            const found = filterTopics(all, wanted)
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
            const found = filterChallenges(all, wanted).filter(
              each => !status || !progress || statusOf(progress, each.slug) === status,
            )
            return (
              <>
                <Tags all={all} value={wanted('tag')} onChange={value => set('tag', value)} />
                {progress && (
                  <StatusFilter
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
        {count === 0 && '. Remove a filter or search for something else.'}
      </Text>
      <div className={grid.grid}>{props.children}</div>
    </>
  )
}
