import { Button, Group, SegmentedControl, Select, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconCheck, IconPlus, IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { LEVELS } from '@/features/catalogue'
import { pluralize } from '@/shared/format/numbers'
import { Chip } from '@/shared/ui/Chip'
import { Dialog } from '@/shared/ui/Dialog'
import { Difficulty } from '@/shared/ui/Difficulty'
import css from '../Builder.module.css'
import { usePlanContext } from '../context'
import type { AvailableItem } from '../plan/availableItems'
import { type Form, nameOf } from '../plan/form'
import { ItemFigures } from './ItemFigures'
import { ItemPreview } from './ItemPreview'

interface Props {
  title: string
  /** Whether the plan has room for no more items. */
  full: boolean
  onPick: (thing: AvailableItem) => void
  onClose: () => void
}

const KINDS = [
  { value: '', label: 'All' },
  { value: 'challenge', label: 'Challenges' },
  { value: 'quiz', label: 'Quizzes' },
]
const SHOWN = 40

/** The catalogue, to pick items from. It stays open to pick several, and shows where the plan already uses an item. */
export function ItemPicker({ title, full, onPick, onClose }: Props) {
  const { things, form } = usePlanContext()
  const [words, setWords] = useState('')
  const [kind, setKind] = useState('')
  const [section, setSection] = useState<string | null>(null)
  const [level, setLevel] = useState<string | null>(null)
  const [shown, setShown] = useState(SHOWN)
  const all = [...(things?.values() ?? [])]
  const found = all.filter(
    each =>
      (!kind || each.choice.kind === kind) &&
      (!section || each.section === section) &&
      (!level || each.difficulty === level) &&
      holds(each, words),
  )
  const taken = takenBy(form)
  return (
    <Dialog title={title} size="lg" onClose={onClose}>
      <div className={css.filters}>
        <TextInput
          data-autofocus
          className={css.words}
          aria-label="Search"
          placeholder="attention, NaN, state_dict …"
          leftSection={<IconSearch size={16} />}
          value={words}
          onChange={event => setWords(event.currentTarget.value)}
        />
        <SegmentedControl aria-label="Kind" data={KINDS} value={kind} onChange={setKind} />
        <Select
          aria-label="Section"
          placeholder="Any section"
          clearable
          data={[...new Set(all.map(each => each.section))].sort()}
          value={section}
          onChange={setSection}
        />
        <Select
          aria-label="Difficulty"
          placeholder="Any difficulty"
          clearable
          data={LEVELS}
          value={level}
          onChange={setLevel}
        />
      </div>
      <Text size="sm" c="dimmed" role="status" my="xs">
        {full ? 'This section is full.' : `${found.length} of ${all.length}`}
      </Text>
      <ul className={css.found}>
        {found.slice(0, shown).map(each => (
          <Found
            key={nameOf(each.choice)}
            thing={each}
            taken={taken.get(nameOf(each.choice))}
            full={full}
            onPick={() => onPick(each)}
          />
        ))}
      </ul>
      {found.length > shown && (
        <Button variant="subtle" fullWidth onClick={() => setShown(shown + SHOWN)}>
          Show more
        </Button>
      )}
      <Group justify="flex-end" mt="md">
        <Button onClick={onClose}>Done</Button>
      </Group>
    </Dialog>
  )
}

interface FoundProps {
  thing: AvailableItem
  taken: string | undefined
  full: boolean
  onPick: () => void
}

function Found({ thing, taken, full, onPick }: FoundProps) {
  const [shown, { toggle }] = useDisclosure()
  return (
    <li className={css.candidate} data-level={thing.difficulty}>
      <div>
        <a href={thing.address} target="_blank" rel="noreferrer" className={css.name}>
          {thing.title}
        </a>
        <div className={css.about}>
          <span>{thing.section}</span>
          <Difficulty level={thing.difficulty} />
          <span>
            {thing.choice.kind === 'quiz' ? `quiz, ${pluralize(thing.questions, 'question')}` : 'challenge'}
          </span>
          <span>about {thing.minutes} min</span>
          {thing.variants.length > 0 && <span>{pluralize(thing.variants.length, 'variant')}</span>}
          {thing.reserved && <span>for assessments only</span>}
          {thing.unproven && <Chip tone="bad">Unproven</Chip>}
          <ItemFigures thing={thing} />
        </div>
      </div>
      <Button
        size="xs"
        variant="subtle"
        color="gray"
        aria-expanded={shown}
        aria-label={`${shown ? 'Hide' : 'Show'} preview of ${thing.title}`}
        onClick={toggle}
      >
        {shown ? 'Hide' : 'Preview'}
      </Button>
      <Button
        size="xs"
        variant={taken ? 'subtle' : 'default'}
        leftSection={taken ? <IconCheck size={15} /> : <IconPlus size={15} />}
        // The row stays mounted after its item was added, so that it keeps the focus.
        aria-disabled={taken !== undefined || full}
        data-disabled={taken !== undefined || full || undefined}
        aria-label={taken ? `${thing.title} is in ${taken}` : `Add ${thing.title}`}
        onClick={() => taken === undefined && !full && onPick()}
      >
        {taken ? `In ${taken}` : 'Add'}
      </Button>
      {shown && <ItemPreview thing={thing} />}
    </li>
  )
}

function holds(thing: AvailableItem, words: string): boolean {
  const text = `${thing.title} ${thing.about} ${thing.choice.name}`.toLowerCase()
  return words
    .toLowerCase()
    .split(/\s+/)
    .every(word => text.includes(word))
}

/** Items of the plan, by name, with their places. */
function takenBy(form: Form): Map<string, string> {
  const taken = form.sections.flatMap((section, at) =>
    section.items.flatMap(item =>
      item.choices
        .flatMap(choice => [nameOf(choice), ...choice.follow_ups.map(name => `challenge:${name}`)])
        .map(name => [name, section.title || `section ${at + 1}`] as const),
    ),
  )
  return new Map([...(form.practice ? [[`challenge:${form.practice}`, 'practice'] as const] : []), ...taken])
}
