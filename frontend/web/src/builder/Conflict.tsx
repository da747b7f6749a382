import { Button, Group, Radio, Text } from '@mantine/core'
import { useState } from 'react'
import { Dialog } from '../parts/Dialog'
import css from './Builder.module.css'
import { differences, merged, type Side } from './compare'
import { useWork } from './context'
import { EMPTY, formOf } from './form'
import type { Assessment } from './requests'

/** Somebody else saved meanwhile: both plans side by side, one choice for each difference, and nothing lost. */
export function Conflict({ theirs }: { theirs: Assessment }) {
  const { form, base, things, settle, closeConflict } = useWork()
  const other = theirs.plan ? formOf(theirs.plan) : EMPTY
  const rows = differences(base, form, other, things)
  const [chosen, setChosen] = useState<Record<string, Side>>({})
  const side = (key: string): Side => chosen[key] ?? rows.find(each => each.key === key)?.likely ?? 'mine'
  return (
    <Dialog title="Somebody else saved meanwhile" size="xl" onClose={closeConflict}>
      <Text size="sm" c="dimmed" mb="md">
        Choose what is to stay. Nothing is saved yet: you see the plan with your choices first.
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
          Not now
        </Button>
        <Button onClick={() => settle(theirs, merged(form, other, side))}>Take these</Button>
      </Group>
    </Dialog>
  )
}
