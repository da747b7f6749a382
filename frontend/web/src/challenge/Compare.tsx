import { Group, Loader, SegmentedControl, Text } from '@mantine/core'
import { useLocalStorage, useMediaQuery } from '@mantine/hooks'
import { lazy, Suspense } from 'react'
import css from './Compare.module.css'

const Diff = lazy(() => import('./Diff'))

interface Props {
  before: string
  after: string
  names: [string, string]
  onChange?: (text: string) => void
}

/** Two texts compared, as the reader likes it: one within the other, or side by side where there is room. */
export function Compare({ before, after, names, onChange }: Props) {
  const [way, setWay] = useLocalStorage({ key: 'compare', defaultValue: 'within' })
  const roomy = useMediaQuery('(min-width: 56em)', true, { getInitialValueInEffect: false })
  const split = roomy && way === 'beside'
  const [left, right] = names
  return (
    <div className={css.frame}>
      <Group justify="space-between" gap="xs" p="xs" className={css.head}>
        <Text size="xs">
          <span className={css.before}>− {left}</span>
          <span className={css.after}>+ {right}</span>
        </Text>
        <SegmentedControl
          size="xs"
          visibleFrom="md"
          aria-label="How to compare"
          value={way}
          onChange={setWay}
          data={[
            { value: 'within', label: 'In one' },
            { value: 'beside', label: 'Side by side' },
          ]}
        />
      </Group>
      {before === after ? (
        <Text size="sm" c="dimmed" p="sm">
          The two are the same, character for character.
        </Text>
      ) : (
        <div className={css.texts}>
          <Suspense fallback={<Loader m="md" size="sm" />}>
            <Diff before={before} after={after} names={names} split={split} {...(onChange && { onChange })} />
          </Suspense>
        </div>
      )}
    </div>
  )
}
