import { Button, Group, Radio, Text } from '@mantine/core'
import { useState } from 'react'
import { Dialog } from '@/shared/ui/Dialog'
import css from '../Builder.module.css'
import { usePlanContext } from '../context'
import { findDifferences, mergePlans, type Side } from '../plan/compare'
import { EMPTY, toForm } from '../plan/form'
import type { Assessment } from '../requests'

/** Shown if someone else saved in the meantime: both plans side by side, with one choice for each difference. Nothing is lost. */
export function Conflict({ theirs }: { theirs: Assessment }) {
  const { form, base, things, settle, closeConflict } = usePlanContext()
  const other = theirs.plan ? toForm(theirs.plan) : EMPTY
  const rows = findDifferences(base, form, other, things)
  const [chosen, setChosen] = useState<Record<string, Side>>({})
  const side = (key: string): Side => chosen[key] ?? rows.find(each => each.key === key)?.likely ?? 'mine'
  return (
    <Dialog title="Someone else saved a change" size="xl" onClose={closeConflict}>
      <Text size="sm" c="dimmed" mb="md">
        Choose which version to keep. Your choices are merged into the plan. Nothing is saved until you review
        it and click Save.
      </Text>
      {rows.map(row => (
        <Radio.Group
          key={row.key}
          className={css.difference}
          label={row.name}
          description={
            row.both
              ? 'Both of you changed it.'
              : row.likely === 'mine'
                ? 'You changed it.'
                : 'They changed it.'
          }
          value={side(row.key)}
          onChange={value => setChosen({ ...chosen, [row.key]: value as Side })}
        >
          <div className={css.sides}>
            {(['mine', 'theirs'] as const).map(each => (
              <Radio
                key={each}
                value={each}
                label={each === 'mine' ? 'Yours' : 'Theirs'}
                description={<span className={css.version}>{row[each]}</span>}
              />
            ))}
          </div>
        </Radio.Group>
      ))}
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={closeConflict}>
          Cancel
        </Button>
        <Button onClick={() => settle(theirs, mergePlans(form, other, side))}>Use selected</Button>
      </Group>
    </Dialog>
  )
}
