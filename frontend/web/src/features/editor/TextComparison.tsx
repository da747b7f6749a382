import { Group, Loader, SegmentedControl, Text } from '@mantine/core'
import { useLocalStorage, useMediaQuery } from '@mantine/hooks'
import { lazy, Suspense } from 'react'
import css from './TextComparison.module.css'

const Diff = lazy(() => import('./DiffView'))

interface Props {
  before: string
  after: string
  names: [string, string]
  onChange?: (text: string) => void
}

/** Compares two texts as the reader prefers: inline, or side by side where there is room. */
export function TextComparison({ before, after, names, onChange }: Props) {
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
          aria-label="Comparison layout"
          value={way}
          onChange={setWay}
          data={[
            { value: 'within', label: 'Inline' },
            { value: 'beside', label: 'Side by side' },
          ]}
        />
      </Group>
      {before === after ? (
        <Text size="sm" c="dimmed" p="sm">
          The two texts are identical.
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
