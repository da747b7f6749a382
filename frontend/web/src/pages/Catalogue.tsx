import { Button, Container, SegmentedControl, Select, Text, TextInput, Title } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { useSearchParams } from 'react-router'
import type { Schemas } from '../api/client'
import { challenges, topics } from '../api/queries'
import { ChallengeCard, TopicCard } from '../parts/Cards'
import { Loaded } from '../parts/States'
import { useTitle } from '../parts/title'
import { statusOf, useProgress } from '../standings/queries'
import { Statuses } from '../standings/Statuses'
import css from './Catalogue.module.css'
import grid from './Home.module.css'

const LEVELS = ['easy', 'medium', 'hard']
const MOST_TAGS = 18
type Wanted = (name: string) => string

/** Everything, with filters that live in the address: a link to a selection is a link to it. */
export function Component() {
  useTitle('Catalogue')
  const [params, setParams] = useSearchParams()
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
  const view = wanted('view') || 'challenges'
  const items = useQuery(challenges)
  const pages = useQuery(topics)
  const sections = [
    ...new Set((view === 'topics' ? pages.data : items.data)?.map(each => each.section)),
  ].sort()
  const filtered = ['q', 'section', 'difficulty', 'form', 'tag', 'status'].some(wanted)
  return (
    <Container size="lg" py="xl">
      <Title order={1}>Catalogue</Title>
      <div className={css.filters}>
        <Search value={wanted('q')} onChange={value => set('q', value)} />
        <SegmentedControl
          aria-label="What to list"
          value={view}
          onChange={value => set('view', value === 'challenges' ? null : value)}
          data={[
            { value: 'challenges', label: 'Challenges' },
            { value: 'topics', label: 'Topics' },
          ]}
        />
        <Pick
          label="Section"
          value={wanted('section')}
          data={sections}
          onChange={value => set('section', value)}
        />
        <Pick
          label="Difficulty"
          value={wanted('difficulty')}
          data={LEVELS}
          onChange={value => set('difficulty', value)}
        />
        {view === 'challenges' && (
          <Pick
            label="Form"
            value={wanted('form')}
            data={['write', 'fix']}
            onChange={value => set('form', value)}
          />
        )}
        {filtered && (
          <Button
            variant="subtle"
            onClick={() => setParams(view === 'topics' ? { view } : {}, { replace: true })}
          >
            Clear
          </Button>
        )}
      </div>
      {view === 'topics' ? (
        <Loaded query={pages}>
          {all => {
            const found = all.filter(each => fits(wanted, each, [each.title, each.purpose, each.id]))
            return (
              <Found count={found.length} of={all.length} what="topics">
                {found.map(each => (
                  <TopicCard key={each.id} topic={each} />
                ))}
              </Found>
            )
          }}
        </Loaded>
      ) : (
        <Loaded query={items}>
          {all => (
            <>
              <Tags all={all} value={wanted('tag')} onChange={value => set('tag', value)} />
              <Challenges all={all} wanted={wanted} onStatus={value => set('status', value)} />
            </>
          )}
        </Loaded>
      )}
    </Container>
  )
}

function Challenges(props: {
  all: Schemas['ChallengeCard'][]
  wanted: Wanted
  onStatus: (value: string | null) => void
}) {
  const { all, wanted, onStatus } = props
  const progress = useProgress()
  const found = all.filter(
    each =>
      (!wanted('status') || !progress || statusOf(progress, each.slug) === wanted('status')) &&
      fits(wanted, each, [each.title, each.summary, each.slug, ...each.topics]) &&
      (!wanted('form') || each.form === wanted('form')) &&
      (!wanted('tag') || each.topics.includes(wanted('tag'))),
  )
  return (
    <>
      {progress && (
        <Statuses
          found={progress}
          slugs={all.map(each => each.slug)}
          value={wanted('status')}
          onChange={onStatus}
        />
      )}
      <Found count={found.length} of={all.length} what="challenges">
        {found.map(each => (
          <ChallengeCard key={each.slug} challenge={each} />
        ))}
      </Found>
    </>
  )
}

function fits(wanted: Wanted, item: { section: string; difficulty: string }, texts: string[]): boolean {
  const words = wanted('q').toLowerCase().split(/\s+/)
  const text = texts.join(' ').toLowerCase()
  return (
    (!wanted('section') || item.section === wanted('section')) &&
    (!wanted('difficulty') || item.difficulty === wanted('difficulty')) &&
    words.every(word => text.includes(word))
  )
}

function Found({
  count,
  of,
  what,
  children,
}: {
  count: number
  of: number
  what: string
  children: React.ReactNode
}) {
  return (
    <>
      <Text c="dimmed" size="sm" mb="sm" role="status">
        {count === of ? `${of} ${what}` : `${count} of ${of} ${what}`}
        {count === 0 && '. Take a filter away, or search for another word.'}
      </Text>
      <div className={grid.grid}>{children}</div>
    </>
  )
}

function Search({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const input = useRef<HTMLInputElement>(null)
  useHotkeys([['/', () => input.current?.focus()]])
  return (
    <TextInput
      ref={input}
      className={css.search}
      label="Search"
      placeholder="attention, NaN, state_dict …"
      leftSection={<IconSearch size={16} />}
      value={value}
      onChange={event => onChange(event.currentTarget.value)}
    />
  )
}

function Pick(props: {
  label: string
  value: string
  data: string[]
  onChange: (value: string | null) => void
}) {
  return (
    <Select
      {...props}
      value={props.value || null}
      placeholder="any"
      clearable
      w={150}
      comboboxProps={{ shadow: 'md' }}
    />
  )
}

function Tags(props: {
  all: Schemas['ChallengeCard'][]
  value: string
  onChange: (value: string | null) => void
}) {
  const counts = new Map<string, number>()
  for (const each of props.all) for (const tag of each.topics) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  const shown = [...counts].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0])).slice(0, MOST_TAGS)
  return (
    <fieldset className={css.tags} style={{ border: 0, padding: 0, margin: '0 0 1.25rem' }} aria-label="Tags">
      {shown.map(([tag, count]) => (
        <button
          key={tag}
          type="button"
          className={css.tag}
          aria-pressed={props.value === tag}
          onClick={() => props.onChange(props.value === tag ? null : tag)}
        >
          {tag} {count}
        </button>
      ))}
    </fieldset>
  )
}
