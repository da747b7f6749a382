import { Button, Group, NativeSelect, Paper, Text, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { many } from '../team/words'
import css from './Builder.module.css'
import { changed, type Step } from './changes'
import { useWork } from './context'
import { Figure } from './Figure'
import { MOST, type Section } from './form'
import { ItemRow } from './ItemRow'
import { byArrow, focusOn, Moves } from './Moves'
import { Picker } from './Picker'
import { pointsTold, reckonSection } from './reckon'

/** A section: its title, its own time, how many of its items are drawn, and the items. */
export function SectionCard({ section, place }: { section: Section; place: number }) {
  const { form, change, problem, things } = useWork()
  const [picking, setPicking] = useState(false)
  const id = `section-${section.key}`
  const name = section.title || `section ${place + 1}`
  const move = (by: Step) => change({ do: 'move section', section: section.key, by })
  const can = (by: Step) => changed(form, { do: 'move section', section: section.key, by }) !== form
  const set = (fields: Partial<Section>) => change({ do: 'set section', section: section.key, fields })
  const { items, points } = reckonSection(section, things)
  return (
    <Paper
      component="section"
      aria-label={`Section ${place + 1}: ${name}`}
      radius="md"
      className={css.card}
      onKeyDown={byArrow(id, can, move)}
    >
      <div className={css.head}>
        <TextInput
          id={`${id}-title`}
          className={css.title}
          label={`Section ${place + 1}`}
          placeholder="Title, such as Tensors"
          maxLength={120}
          value={section.title}
          error={problem(`sections.${place}.title`)}
          onChange={event => set({ title: event.currentTarget.value })}
        />
        <Moves
          name={name}
          id={id}
          can={can}
          move={move}
          remove={() => {
            change({ do: 'remove section', section: section.key }, name)
            focusOn('add-section')
          }}
        />
      </div>
      <div className={css.rules}>
        <Figure
          optional
          label="Own minutes"
          placeholder="none"
          max={MOST.minutes}
          value={section.minutes}
          error={problem(`sections.${place}.minutes`)}
          onChange={minutes => set({ minutes })}
        />
        <NativeSelect
          label="Each candidate gets"
          data={draws(section)}
          value={section.draw ?? ''}
          error={problem(`sections.${place}.draw`)}
          onChange={event => set({ draw: Number(event.currentTarget.value) || null })}
        />
      </div>
      <ol className={css.items}>
        {section.items.map((item, at) => (
          <ItemRow key={item.key} item={item} section={section} field={`sections.${place}.items.${at}`} />
        ))}
      </ol>
      {problem(`sections.${place}.items`) && (
        <Text size="sm" c="var(--g-bad)" mb="xs">
          {problem(`sections.${place}.items`)}
        </Text>
      )}
      <Group justify="space-between" gap="xs">
        <Button
          id={`${id}-add`}
          size="xs"
          variant="light"
          leftSection={<IconPlus size={15} />}
          disabled={section.items.length >= MOST.items}
          onClick={() => setPicking(true)}
        >
          Add items
        </Button>
        <Text size="sm" c="dimmed">
          {many(items, 'item')}, {pointsTold(points)}
        </Text>
      </Group>
      {picking && (
        <Picker
          title={`Add to ${name}`}
          full={section.items.length >= MOST.items}
          onPick={thing =>
            change({ do: 'add item', section: section.key, choice: thing.choice, points: thing.points })
          }
          onClose={() => setPicking(false)}
        />
      )}
    </Paper>
  )
}

function draws({ draw, items }: Section) {
  const most = Math.max(items.length - 1, draw ?? 0)
  const some = Array.from({ length: most }, (_, at) => at + 1)
  return [
    { value: '', label: 'all items, in this order' },
    ...some.map(count => ({ value: String(count), label: `${count} of ${items.length}, drawn at random` })),
  ]
}
