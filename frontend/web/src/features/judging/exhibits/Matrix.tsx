import { useState } from 'react'
import css from './Exhibit.module.css'
import { NumberTable, short } from './NumberTable'

interface Props {
  values: (number | null)[][]
  /** The shape of the whole matrix, which may be larger than the part shown. */
  shape: number[]
  name: string
  colour: string
  axes?: [string, string]
}

// The largest size in pixels. The height leaves room for the caption in a results pane of 300 pixels.
const [WIDE, TALL] = [416, 220]

/**
 * A matrix as squares: the larger the value, the darker. Values that are not finite are crossed out. Shows the number under the
 * pointer.
 */
export function Matrix({ values, shape, name, colour, axes = ['row', 'column'] }: Props) {
  const [at, setAt] = useState<[number, number]>()
  const columns = Math.max(1, ...values.map(row => row.length))
  const known = values.flat().filter(value => value != null)
  const low = Math.min(0, ...known)
  const high = Math.max(0, ...known)
  const span = high - low || 1
  const side = Math.max(3, Math.min(26, Math.floor(WIDE / columns), Math.floor(TALL / values.length)))
  const [wide, tall] = [columns * side, values.length * side]
  const thinned = shape[0] !== values.length || shape[1] !== columns
  const here = at && values[at[0]]?.[at[1]]
  return (
    <>
      <svg
        viewBox={`0 0 ${wide} ${tall}`}
        width={wide}
        role="img"
        aria-label={`${name}: ${values.length} rows, ${columns} columns, from ${short(low)} to ${short(high)}`}
        className={css.matrix}
        onPointerMove={event => {
          const box = event.currentTarget.getBoundingClientRect()
          const place = (part: number, count: number) =>
            Math.min(count - 1, Math.max(0, Math.floor(part * count)))
          setAt([
            place((event.clientY - box.top) / box.height, values.length),
            place((event.clientX - box.left) / box.width, columns),
          ])
        }}
        onPointerLeave={() => setAt(undefined)}
      >
        {values.flatMap((row, y) =>
          row.map((value, x) => (
            <rect
              // biome-ignore lint/suspicious/noArrayIndexKey: a cell is identified by its position
              key={`${y} ${x}`}
              x={x * side}
              y={y * side}
              width={side - 1}
              height={side - 1}
              rx={1.5}
              fill={value == null ? 'var(--g-key)' : colour}
              opacity={value == null ? 1 : 0.07 + (0.93 * (value - low)) / span}
            />
          )),
        )}
      </svg>
      <div className={css.legend}>
        <span className={css.scale}>
          {short(low)}
          <i style={{ background: `linear-gradient(to right, transparent, ${colour})` }} />
          {short(high)}
        </span>
        <span>
          {at && here !== undefined
            ? `${axes[0]} ${at[0]}, ${axes[1]} ${at[1]}: ${short(here)}`
            : `rows: ${axes[0]}, columns: ${axes[1]}`}
        </span>
        {thinned && <span>{`${shape.join(' × ')}, shown at lower resolution`}</span>}
      </div>
      <NumberTable>
        {() => (
          <table>
            <tbody>
              {values.map((row, y) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a row is identified by its position
                <tr key={y}>
                  <th scope="row">{y}</th>
                  {row.map((value, x) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: a cell is identified by its position
                    <td key={x}>{short(value)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </NumberTable>
    </>
  )
}
