import { Button, SegmentedControl, Select, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconAdjustmentsHorizontal, IconSearch } from '@tabler/icons-react'
import type { Schemas } from '@/api/client'
import css from './Filters.module.css'
import { FILTERS, FORMS, LEVELS, MINUTES, SCORED, type Selection, SORTS } from './selection'

interface Props {
  wanted: Selection
  set: (name: string, value: string | null) => void
  clear: () => void
  challenges: Schemas['ChallengeCard'][]
  topics: Schemas['TopicCard'][]
}

// The filters under “More”.
const RARER = ['form', 'application', 'minutes', 'device', 'scored']
const VIEWS = [
  { value: 'challenges', label: 'Challenges' },
  { value: 'topics', label: 'Topics' },
]

/** The filters of the catalogue; the less common ones on request, or if one of them is set. */
export function Filters({ wanted, set, clear, challenges, topics }: Props) {
  const hidden = RARER.filter(wanted).length
  const [asked, { toggle }] = useDisclosure(false)
  const all = asked || hidden > 0
  const view = wanted('view') || 'challenges'
  const ofChallenges = view === 'challenges'
  const pick = (name: string, label: string, data: Options) => (
    <Pick label={label} value={wanted(name)} data={data} onChange={value => set(name, value)} />
  )
  return (
    <search className={css.filters}>
      <div className={css.first}>
        <TextInput
          className={css.search}
          label="Search"
          placeholder="attention, NaN, state_dict …"
          leftSection={<IconSearch size={16} />}
          value={wanted('q')}
          onChange={event => set('q', event.currentTarget.value)}
        />
        <SegmentedControl
          aria-label="Show"
          value={view}
          onChange={value => set('view', value === 'challenges' ? null : value)}
          data={VIEWS}
        />
        <Button variant="subtle" px="xs" disabled={!FILTERS.some(wanted)} onClick={clear}>
          Clear all
        </Button>
      </div>
      <div className={css.picks}>
        {pick('section', 'Section', values((ofChallenges ? challenges : topics).map(each => each.section)))}
        {pick('difficulty', 'Difficulty', LEVELS)}
        {pick('sort', 'Sort by', ofChallenges ? SORTS : TOPIC_SORTS)}
        {ofChallenges && (
          <Button
            className={css.more}
            variant="default"
            leftSection={<IconAdjustmentsHorizontal size={15} />}
            aria-expanded={all}
            disabled={hidden > 0}
            onClick={toggle}
          >
            {all ? 'Fewer filters' : 'More filters'}
          </Button>
        )}
      </div>
      {ofChallenges && all && (
        <div className={css.picks}>
          {pick('form', 'Task', FORMS)}
          {pick('application', 'Application', values(challenges.flatMap(each => each.application)))}
          {pick('minutes', 'Minutes', MINUTES)}
          {pick('device', 'Device', values(challenges.flatMap(each => each.devices)))}
          {pick('scored', 'Scored', SCORED)}
        </div>
      )}
    </search>
  )
}

type Options = string[] | { value: string; label: string }[]
const TOPIC_SORTS = SORTS.filter(each => each.value === 'level' || each.value === 'title')

const values = (given: string[]) => [...new Set(given)].sort()

function Pick(props: {
  label: string
  value: string
  data: Options
  onChange: (value: string | null) => void
}) {
  return (
    <Select
      {...props}
      value={props.value || null}
      placeholder={props.label === 'Sort by' ? 'By section' : 'Any'}
      clearable
      comboboxProps={{ shadow: 'md' }}
    />
  )
}
