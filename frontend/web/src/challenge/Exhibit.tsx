import type { Schemas } from '../api/client'
import css from './Exhibit.module.css'

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
  worst_index?: number[] | null
  max?: number | null
  mean?: number | null
  map?: { values: Numbers[]; shape: number[] }
}
interface Curve {
  series: { name: string; values: Numbers }[]
  x_label: string
  y_label: string
}
interface Heatmap {
  values: Numbers[]
  shape: number[]
}

/** Picture data of a test, as a picture with its numbers beside it. */
export function Exhibit({ exhibit }: { exhibit: Schemas['ExhibitView'] }) {
  return (
    <figure className={css.figure}>
      <figcaption>{exhibit.title}</figcaption>
      {exhibit.kind === 'difference' && <DifferencePicture data={exhibit.data as unknown as Difference} />}
      {exhibit.kind === 'curve' && <CurvePicture data={exhibit.data as unknown as Curve} />}
      {exhibit.kind === 'heatmap' && (
        <Cells values={(exhibit.data as unknown as Heatmap).values} label="values" />
      )}
    </figure>
  )
}

const tensor = (one: Described) => (one.shape ? `${one.dtype} (${one.shape.join(', ')})` : (one.type ?? '?'))
const short = (value: number | null | undefined) => (value == null ? 'not finite' : value.toPrecision(3))

function DifferencePicture({ data }: { data: Difference }) {
  return (
    <>
      <dl className={css.facts}>
        <dt>yours</dt>
        <dd>{tensor(data.actual)}</dd>
        <dt>expected</dt>
        <dd>{tensor(data.expected)}</dd>
        {data.comparable && (
          <>
            <dt>largest error</dt>
            <dd>
              {short(data.max)}
              {data.worst_index && ` at [${data.worst_index.join(', ')}]`}
            </dd>
            <dt>exact</dt>
            <dd>
              {data.exact} of {data.count}
            </dd>
          </>
        )}
      </dl>
      {data.map && data.map.values.length > 0 && <Cells values={data.map.values} label="error by place" />}
    </>
  )
}

/** A matrix as squares, the darker the larger; null is what is not finite. */
function Cells({ values, label }: { values: Numbers[]; label: string }) {
  const columns = Math.max(1, ...values.map(row => row.length))
  const known = values.flat().filter(value => value != null)
  const low = Math.min(0, ...known)
  const span = Math.max(...known, 0) - low || 1
  const side = Math.max(4, Math.min(22, Math.floor(420 / columns)))
  return (
    <svg
      width={columns * side}
      height={values.length * side}
      role="img"
      aria-label={`${label}: ${values.length} rows, ${columns} columns, from ${short(low)} to ${short(low + span)}`}
      style={{ maxWidth: '100%' }}
    >
      {values.flatMap((row, y) =>
        row.map((value, x) => (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its place
            key={`${y} ${x}`}
            x={x * side}
            y={y * side}
            width={side - 1}
            height={side - 1}
            rx={1.5}
            fill={value == null ? 'var(--g-key)' : 'var(--g-bad)'}
            opacity={value == null ? 1 : 0.08 + (0.92 * (value - low)) / span}
          >
            <title>{`[${y}, ${x}] ${value == null ? 'not finite' : value.toPrecision(4)}`}</title>
          </rect>
        )),
      )}
    </svg>
  )
}

const LINES = ['var(--g-bad)', 'var(--g-link)', 'var(--g-good)', 'var(--g-medium)', 'var(--g-key)']
const [WIDE, HIGH] = [440, 170]

function CurvePicture({ data }: { data: Curve }) {
  const known = data.series.flatMap(each => each.values).filter(value => value != null)
  const low = Math.min(...known)
  const span = Math.max(...known) - low || 1
  const points = (values: Numbers) =>
    values
      .map((value, index) =>
        value == null
          ? ''
          : `${(WIDE * index) / Math.max(1, values.length - 1)},${HIGH - (HIGH * (value - low)) / span}`,
      )
      .filter(Boolean)
      .join(' ')
  return (
    <>
      <svg
        viewBox={`-2 -4 ${WIDE + 4} ${HIGH + 8}`}
        style={{ maxWidth: WIDE, width: '100%' }}
        role="img"
        aria-label={`${data.y_label} over ${data.x_label}`}
      >
        <path d={`M0 0V${HIGH}H${WIDE}`} fill="none" stroke="var(--g-line)" />
        {data.series.map((each, index) => (
          <polyline
            key={each.name}
            points={points(each.values)}
            fill="none"
            stroke={LINES[index % LINES.length]}
            strokeWidth="2"
            strokeDasharray={index % 2 ? '5 4' : undefined}
          />
        ))}
      </svg>
      <div className={css.legend}>
        {data.series.map((each, index) => (
          <span key={each.name} style={{ color: LINES[index % LINES.length] }}>
            {index % 2 ? '╌' : '━'} {each.name}
          </span>
        ))}
        <span>
          {data.y_label} from {short(low)} to {short(low + span)}
        </span>
      </div>
    </>
  )
}
