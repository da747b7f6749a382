import type { ReactNode } from 'react'
import type { Schemas } from '@/api/client'
import { Curve, type CurveData } from './Curve'
import css from './Exhibit.module.css'
import { Matrix } from './Matrix'
import { NormComparison, type NormsData } from './NormComparison'
import { short } from './NumberTable'
import { OperatorCounts, type OperatorsData } from './OperatorCounts'

type Numbers = (number | null)[]
interface Described {
  type?: string
  shape?: number[]
  dtype?: string
}
interface Difference {
  actual: Described
  expected: Described
  comparable: boolean
  count?: number
  exact?: number
  not_comparable?: number
  worst_index?: number[] | null
  max?: number | null
  mean?: number | null
  max_relative_to_scale?: number | null
  histogram?: { low: number; high: number; counts: number[] }
  map?: { values: Numbers[]; shape: number[] }
}
interface Heatmap {
  values: Numbers[]
  shape: number[]
  x_label: string
  y_label: string
}

/** Draws an exhibit of a test, with its numbers beside the picture. */
export function Exhibit({ exhibit: { title, kind, data } }: { exhibit: Schemas['ExhibitView'] }) {
  return (
    <figure className={css.figure}>
      <figcaption>{title}</figcaption>
      {kind === 'difference' && <DifferencePicture data={data as unknown as Difference} />}
      {kind === 'curve' && <Curve data={data as unknown as CurveData} />}
      {kind === 'heatmap' && <HeatmapPicture data={data as unknown as Heatmap} />}
      {kind === 'gradients' && <NormComparison data={data as unknown as NormsData} />}
      {kind === 'operators' && <OperatorCounts data={data as unknown as OperatorsData} />}
    </figure>
  )
}

const tensor = (one: Described) => (one.shape ? `${one.dtype} (${one.shape.join(', ')})` : (one.type ?? '?'))

function Facts({ items }: { items: [string, ReactNode, boolean?][] }) {
  return (
    <dl className={css.facts}>
      {items.map(([name, value, differs]) => (
        <div key={name} data-differs={differs || undefined}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function DifferencePicture({ data }: { data: Difference }) {
  const { actual, expected, map } = data
  const described: [string, ReactNode, boolean][] = [
    ['expected', tensor(expected), false],
    ['yours', tensor(actual), tensor(actual) !== tensor(expected)],
  ]
  if (!data.comparable)
    return (
      <>
        <Facts items={described} />
        <p className={css.note}>The shapes differ, so the elements cannot be compared.</p>
      </>
    )
  const where = data.worst_index?.length ? ` at [${data.worst_index.join(', ')}]` : ''
  const share =
    data.max_relative_to_scale == null
      ? ''
      : `, ${short(100 * data.max_relative_to_scale)}% of the largest expected value, ignoring outliers among the expected values`
  return (
    <>
      <Facts
        items={[
          ...described,
          ['largest error', `${short(data.max)}${where}${share}`],
          ['mean error', short(data.mean)],
          ['exact', `${data.exact} of ${data.count}`],
          ...(data.not_comparable ? [['not finite', data.not_comparable] as [string, ReactNode]] : []),
        ]}
      />
      {data.max !== 0 && map && map.values.length > 0 && (
        <Matrix values={map.values} shape={map.shape} name="Error by position" colour="var(--g-bad)" />
      )}
      {data.max !== 0 && data.histogram && <Histogram {...data.histogram} />}
    </>
  )
}

/** How many elements are off by how much: bins of powers of ten, without the empty ones at both ends. */
function Histogram({ low, counts }: { low: number; counts: number[] }) {
  const first = counts.findIndex(count => count > 0)
  const last = counts.findLastIndex(count => count > 0)
  if (first < 0) return null
  const bins = counts.slice(first, last + 1).map((count, place) => ({ power: low + first + place, count }))
  const most = Math.max(...bins.map(bin => bin.count))
  return (
    <table className={css.bars}>
      <caption>Elements by error size</caption>
      <tbody>
        {bins.map(({ power, count }) => (
          <tr key={power}>
            <th scope="row">
              10<sup>{power}</sup>
            </th>
            <td>
              <span className={css.bar} style={{ width: `${Math.max(1, (100 * count) / most)}%` }} />
            </td>
            <td>{count}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function HeatmapPicture({ data }: { data: Heatmap }) {
  if (data.values.length === 0) return <p className={css.note}>The tensor is empty.</p>
  const axes: [string, string] = [data.y_label || 'row', data.x_label || 'column']
  return <Matrix values={data.values} shape={data.shape} name="Values" colour="var(--g-link)" axes={axes} />
}
