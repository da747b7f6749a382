import { Button, Checkbox, NativeSelect, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Dialog } from '@/shared/ui/Dialog'
import { Loaded } from '@/shared/ui/QueryStates'
import css from '../Builder.module.css'
import { usePlanContext } from '../context'
import type { AvailableItem } from '../plan/availableItems'
import { challengeVariant } from '../requests'
import { TaskText } from './ItemPreview'

interface Props {
  thing: AvailableItem
  drawn: boolean
  onChange: (drawn: boolean) => void
}

/** Whether each candidate gets one of the challenge's variants, and what the variants are. */
export function ChoiceVariants({ thing, drawn, onChange }: Props) {
  const [open, { open: show, close }] = useDisclosure()
  return (
    <div className={css.variants}>
      <Checkbox
        size="xs"
        label={`Draw one of ${thing.variants.length} variants for each candidate`}
        checked={drawn}
        onChange={event => onChange(event.currentTarget.checked)}
      />
      <Button
        size="compact-xs"
        variant="subtle"
        aria-label={`Read the variants of ${thing.title}`}
        onClick={show}
      >
        Read the variants
      </Button>
      {open && <VariantsDialog thing={thing} onClose={close} />}
    </div>
  )
}

function VariantsDialog({ thing, onClose }: { thing: AvailableItem; onClose: () => void }) {
  const { teamId } = usePlanContext()
  const [name, setName] = useState(thing.variants[0]?.name ?? '')
  const query = useQuery(challengeVariant(teamId, thing.choice.name, name))
  return (
    <Dialog title={`Variants of ${thing.title}`} size="lg" onClose={onClose}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          The variants are the same task with different conventions. An answer to one of them fails the tests
          of the others, so an answer that leaks helps only some candidates. Candidates are not told that
          there are variants.
        </Text>
        <NativeSelect
          label="Variant"
          data={thing.variants.map(each => ({ value: each.name, label: each.summary }))}
          value={name}
          onChange={event => setName(event.currentTarget.value)}
        />
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard */}
        <section className={css.preview} aria-label={`Statement of ${thing.title}`} tabIndex={0}>
          <Loaded query={query}>{task => <TaskText {...task} />}</Loaded>
        </section>
      </Stack>
    </Dialog>
  )
}
