import { Anchor, Container, Group, SegmentedControl, Text, Title } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { Link, useSearchParams } from 'react-router'
import { challenges, topics } from '@/api/queries'
import { useMarks } from '@/features/bookmarks'
import { StatusFilter, statusOf, useProgress } from '@/features/progress'
import { useThisWeek } from '@/features/weekly'
import { useTitle } from '@/shared/hooks/useTitle'
import grid from '@/shared/ui/Page.module.css'
import { Loaded } from '@/shared/ui/QueryStates'
import { ChallengeCard, TopicCard } from './Cards'
import { ChallengeTable } from './ChallengeTable'
import { Filters } from './Filters'
import {
  FILTERS,
  filterChallenges,
  filterTopics,
  hasQuestions,
  rememberSelection,
  type Selection,
  unknownFilters,
} from './selection'
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
  useEffect(() => {
    if (!items.data || !pages.data) return
    const unknown = unknownFilters(name => params.get(name) ?? '', items.data, pages.data)
    if (unknown.length === 0) return
    const kept = new URLSearchParams(params)
    for (const name of unknown) kept.delete(name)
    setParams(kept, { replace: true })
  }, [params, setParams, items.data, pages.data])
  const progress = useProgress()
  const { bookmarks } = useMarks()
  const [layout, setLayout] = useLocalStorage<Layout>({
    key: 'catalogue-layout',
    defaultValue: 'table',
    getInitialValueInEffect: false,
  })
  const ofTopics = wanted('view') === 'topics'
  return (
    <Container size="lg" py="xl">
      <Group justify="space-between" align="baseline">
        <Title order={1}>Catalogue</Title>
        <Weekly />
      </Group>
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
              <Found
                count={found.length}
                of={all.length}
                what={ofTopics ? 'topics' : 'quizzes'}
                wanted={wanted}
              >
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
            const fits = ({ slug }: { slug: string }) =>
              status === 'bookmarked'
                ? bookmarks.includes(slug)
                : !progress || statusOf(progress, slug) === status
            const found = filterChallenges(all, wanted).filter(each => !status || fits(each))
            return (
              <>
                <Tags all={all} value={wanted('tag')} onChange={value => set('tag', value)} />
                {progress && (
                  <StatusFilter
                    found={progress}
                    slugs={all.map(each => each.slug)}
                    bookmarks={bookmarks}
                    value={status}
                    onChange={value => set('status', value)}
                  />
                )}
                <Found
                  count={found.length}
                  of={all.length}
                  what="challenges"
                  wanted={wanted}
                  plain={layout === 'table'}
                  aside={<LayoutChoice value={layout} onChange={setLayout} />}
                >
                  {layout === 'table'
                    ? found.length > 0 && <ChallengeTable items={found} />
                    : found.map(each => <ChallengeCard key={each.slug} challenge={each} />)}
                </Found>
              </>
            )
          }}
        </Loaded>
      )}
    </Container>
  )
}

/** Links to the challenge of the week and its board. */
function Weekly() {
  const challenge = useThisWeek()?.challenges[0]
  return (
    challenge && (
      <Text size="sm" c="dimmed">
        Challenge of the week:{' '}
        <Anchor component={Link} to="/weekly" inherit>
          {challenge.title}
        </Anchor>
      </Text>
    )
  )
}

type Layout = 'table' | 'cards'
const LAYOUTS = [
  { value: 'table', label: 'Table' },
  { value: 'cards', label: 'Cards' },
]

/** How to show challenges; remembered in this browser. */
function LayoutChoice({ value, onChange }: { value: Layout; onChange: (value: Layout) => void }) {
  return (
    <SegmentedControl
      size="xs"
      aria-label="Layout"
      value={value}
      data={LAYOUTS}
      onChange={chosen => onChange(chosen as Layout)}
    />
  )
}

interface FoundProps {
  count: number
  of: number
  what: string
  wanted: Selection
  /** Whether the children are not cards in a grid. */
  plain?: boolean
  aside?: ReactNode
  children: ReactNode
}

function Found({ count, of, what, wanted, plain = false, aside, children }: FoundProps) {
  return (
    <>
      <Group justify="space-between" mb="xs" gap="sm" wrap="nowrap">
        <Text c="dimmed" size="sm" role="status">
          {count === of ? `${of} ${what}` : `${count} of ${of} ${what}`}
          {count === 0 && <NothingFound wanted={wanted} />}
        </Text>
        {aside}
      </Group>
      {plain ? children : <div className={grid.grid}>{children}</div>}
    </>
  )
}

/** What to do if no item passes: the search of the site also finds words within statements and topics. */
function NothingFound({ wanted }: { wanted: Selection }) {
  const q = wanted('q')
  const filtered = FILTERS.some(name => name !== 'q' && name !== 'sort' && wanted(name))
  return (
    <>
      . {filtered && 'Remove a filter. '}
      {q && (
        <Anchor component={Link} to={`/search?q=${encodeURIComponent(q)}`} inherit>
          Search all texts for “{q}”
        </Anchor>
      )}
    </>
  )
}
