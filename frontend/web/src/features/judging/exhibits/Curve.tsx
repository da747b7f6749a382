import css from './Exhibit.module.css'
import { NumberTable, short } from './NumberTable'

type Numbers = (number | null)[]
interface Series {
  name: string
  length: number
  x: number[]
  y: Numbers
}
export interface CurveData {
  series: Series[]
  x_label: string
  y_label: string
}

const LINES = ['var(--g-bad)', 'var(--g-link)', 'var(--g-good)', 'var(--g-medium)', 'var(--g-key)']
const DASHES = [undefined, '7 4', '2 3', '10 3 2 3']
const [WIDE, HIGH, LEFT, BELOW] = [440, 180, 52, 34]

/** Curves over a common axis: the user's and the expected one, distinguished by colour and dashes. */
export function Curve({ data }: { data: CurveData }) {
  const known = data.series.flatMap(each => each.y).filter(value => value != null)
  if (known.length === 0) return <p className={css.note}>No finite values.</p>
  const [low, high] = [Math.min(...known), Math.max(...known)]
  const last = Math.max(1, ...data.series.map(each => each.length - 1))
  const across = (x: number) => LEFT + ((WIDE - LEFT) * x) / last
  const down = (y: number) => 6 + (HIGH - 12) * (1 - (y - low) / (high - low || 1))
  const drawn = data.series.map(each => ({ ...each, path: pathOf(each, across, down) }))
  const names = data.series.map(each => each.name).join(', ')
  return (
    <>
      <svg
        viewBox={`0 0 ${WIDE + 8} ${HIGH + BELOW}`}
        className={css.curve}
        role="img"
        aria-label={`${data.y_label || 'value'} over ${data.x_label || 'step'}: ${names}, from ${short(low)} to ${short(high)}`}
      >
        {[low, (low + high) / 2, high].map(value => (
          <g key={value}>
            <path d={`M${LEFT} ${down(value)}H${WIDE}`} className={css.grid} />
            <text x={LEFT - 7} y={down(value) + 4} textAnchor="end">
              {short(value)}
            </text>
          </g>
        ))}
        {[0, last].map(value => (
          <text key={value} x={across(value)} y={HIGH + 14} textAnchor={value ? 'end' : 'start'}>
            {value}
          </text>
        ))}
        <text x={(LEFT + WIDE) / 2} y={HIGH + 26} textAnchor="middle">
          {data.x_label}
        </text>
        {drawn.map((each, place) => (
          <path
            key={each.name}
            d={each.path}
            fill="none"
            stroke={LINES[place % LINES.length]}
            strokeWidth="2.2"
            strokeLinecap="round"
            strokeDasharray={DASHES[place % DASHES.length]}
          />
        ))}
      </svg>
      <div className={css.legend}>
        {data.series.map((each, place) => (
          <span key={each.name}>
            <svg width="26" height="8" aria-hidden="true">
              <path
                d="M1 4H25"
                stroke={LINES[place % LINES.length]}
                strokeWidth="2.2"
                strokeDasharray={DASHES[place % DASHES.length]}
              />
            </svg>{' '}
            {each.name}
          </span>
        ))}
        {data.y_label && <span>vertical axis: {data.y_label}</span>}
      </div>
      <NumberTable>{() => <Rows data={data} />}</NumberTable>
    </>
  )
}

/** The SVG path of a series. It has gaps where a number is not finite; an isolated number becomes a dot. */
function pathOf(each: Series, across: (x: number) => number, down: (y: number) => number): string {
  let pen = false
  return each.y
    .map((value, place) => {
      const move = !pen
      pen = value != null
      if (value == null) return ''
      const point = `${across(each.x[place] ?? place).toFixed(1)} ${down(value).toFixed(1)}`
      return move ? `M${point}h0.01` : `L${point}`
    })
    .join('')
}

function Rows({ data: { series, x_label } }: { data: CurveData }) {
  const steps = [...new Set(series.flatMap(each => each.x))].sort((a, b) => a - b)
  const lookup = series.map(each => new Map(each.x.map((x, place) => [x, each.y[place]])))
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{x_label || 'step'}</th>
          {series.map(each => (
            <th key={each.name} scope="col">
              {each.name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {steps.map(step => (
          <tr key={step}>
            <th scope="row">{step}</th>
            {series.map((each, place) => (
              <td key={each.name}>{lookup[place]?.has(step) ? short(lookup[place].get(step)) : ''}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
