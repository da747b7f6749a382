import type { Schemas } from '@/api/client'
import { ticksBetween } from './IntervalPlot'
import css from './SpeedBoards.module.css'
import { formatCost, type Quantity } from './words'

type Curve = Schemas['Curve']

const NAMES: Record<Curve['name'], string> = {
  answer: 'This answer',
  baseline: 'Baseline',
  library: 'torch’s own',
  floor: 'Floor of the machine',
}
const COLOURS: Record<Curve['name'], string> = {
  answer: 'var(--g-link)',
  baseline: 'var(--g-bad)',
  library: 'var(--g-good)',
  floor: 'var(--g-soft)',
}
const DASHES: Partial<Record<Curve['name'], string>> = { baseline: '7 4', library: '2 3', floor: '10 3 2 3' }
const [WIDE, HIGH, LEFT, TOP, BELOW] = [720, 320, 92, 12, 58]

/** The cost of a call for each size, on logarithmic axes, where a power law is a straight line. */
export function CostChart({ curves, quantity }: { curves: Curve[]; quantity: Quantity }) {
  const points = curves.flatMap(each => each.points).filter(each => each.value > 0)
  if (points.length === 0) return null
  const sizes = [...new Set(points.map(each => each.size))].sort((a, b) => a - b)
  const values = points.map(each => each.value)
  const [from, to] = [Math.min(...values) / 1.3, Math.max(...values) * 1.3]
  const across = scale(sizes[0] ?? 1, sizes.at(-1) ?? 1, LEFT + 14, WIDE - 28)
  const down = scale(from, to, TOP + HIGH, TOP)
  const unit = quantity === 'speed' ? 'time per call' : 'memory'
  return (
    <figure style={{ margin: 0 }}>
      <svg
        viewBox={`0 0 ${WIDE} ${TOP + HIGH + BELOW}`}
        className={css.chart}
        role="img"
        aria-label={`${unit} over size: ${curves.map(each => NAMES[each.name]).join(', ')}. The table below has the numbers.`}
      >
        {ticksBetween(from, to).map(value => (
          <g key={value}>
            <path d={`M${LEFT} ${down(value)}H${WIDE}`} className={css.grid} />
            <text x={LEFT - 8} y={down(value) + 4} textAnchor="end">
              {formatCost(value, quantity)}
            </text>
          </g>
        ))}
        {sizes.map(size => (
          <text key={size} x={across(size)} y={TOP + HIGH + 24} textAnchor="middle">
            {size}
          </text>
        ))}
        <text x={(LEFT + WIDE) / 2} y={TOP + HIGH + 50} textAnchor="middle">
          size
        </text>
        {curves.map(each => {
          const drawn = each.points.filter(point => point.value > 0)
          const path = drawn.map(point => `${across(point.size)} ${down(point.value)}`).join('L')
          return (
            <g key={each.name} stroke={COLOURS[each.name]} fill="none">
              <path
                d={`M${path}`}
                strokeWidth={each.name === 'answer' ? 3 : 2}
                strokeDasharray={DASHES[each.name]}
              />
              {each.name !== 'floor' &&
                drawn.map(point => (
                  <circle
                    key={point.size}
                    cx={across(point.size)}
                    cy={down(point.value)}
                    r={each.name === 'answer' ? 5 : 3.5}
                    fill={COLOURS[each.name]}
                    stroke="none"
                  />
                ))}
            </g>
          )
        })}
      </svg>
      <ul className={css.legend}>
        {curves.map(each => (
          <li key={each.name}>
            <svg width="30" height="10" aria-hidden="true">
              <path
                d="M1 5H29"
                stroke={COLOURS[each.name]}
                strokeWidth={each.name === 'answer' ? 3 : 2}
                strokeDasharray={DASHES[each.name]}
              />
            </svg>{' '}
            {NAMES[each.name]}
            {each.exponent !== null && each.name !== 'floor' && (
              <>
                : grows as size<sup>{each.exponent.toFixed(2)}</sup>
              </>
            )}
          </li>
        ))}
      </ul>
    </figure>
  )
}

/** A logarithmic scale. One value alone lies in the middle. */
function scale(low: number, high: number, start: number, end: number) {
  const [from, to] = [Math.log(low), Math.log(high)]
  return (value: number) =>
    to > from ? start + ((end - start) * (Math.log(value) - from)) / (to - from) : (start + end) / 2
}

export function CostTable({ curves, quantity }: { curves: Curve[]; quantity: Quantity }) {
  const sizes = [...new Set(curves.flatMap(each => each.points.map(point => point.size)))].sort(
    (a, b) => a - b,
  )
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways, so the keyboard must reach it
    <section className={css.scroll} tabIndex={0} aria-label="Cost for each size">
      <table className={css.table}>
        <thead>
          <tr>
            <th scope="col">Size</th>
            {curves.map(each => (
              <th key={each.name} scope="col">
                {NAMES[each.name]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sizes.map(size => (
            <tr key={size}>
              <th scope="row">{size}</th>
              {curves.map(each => {
                const point = each.points.find(found => found.size === size)
                return <td key={each.name}>{point ? formatCost(point.value, quantity) : ''}</td>
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
