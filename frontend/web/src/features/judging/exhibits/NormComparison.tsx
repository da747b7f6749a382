import css from './Exhibit.module.css'
import { short } from './NumberTable'

type Norm = number | string | null
export interface NormsData {
  rows: { name: string; actual: Norm; expected: Norm }[]
  compared: boolean
  left_out: number
}

const SAME = 1e-3
const formatNorm = (norm: Norm) => (typeof norm === 'number' ? short(norm) : (norm ?? 'none'))

/** Whether two norms are equal as far as a picture can show. */
function agree(one: Norm, other: Norm): boolean {
  if (typeof one !== 'number' || typeof other !== 'number') return one === other
  return Math.abs(one - other) <= SAME * Math.max(Math.abs(one), Math.abs(other))
}

/** The norm of each gradient, by name: the user's as a bar, and a mark where it should end. */
export function NormComparison({ data: { rows, compared, left_out } }: { data: NormsData }) {
  if (rows.length === 0) return <p className={css.note}>No gradients.</p>
  const numbers = rows.flatMap(row => [row.actual, row.expected]).filter(norm => typeof norm === 'number')
  const most = Math.max(...numbers, 0) || 1
  const share = (norm: Norm) => (typeof norm === 'number' ? `${(100 * norm) / most}%` : '0%')
  return (
    <>
      <table className={css.norms}>
        <thead>
          <tr>
            <th scope="col">gradient of</th>
            <th scope="col">norm</th>
            <th scope="col">yours</th>
            {compared && <th scope="col">expected</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <tr key={row.name} data-differs={(compared && !agree(row.actual, row.expected)) || undefined}>
              <th scope="row">{row.name}</th>
              <td>
                <span className={css.track}>
                  <span className={css.bar} style={{ width: share(row.actual) }} />
                  {compared && typeof row.expected === 'number' && (
                    <i style={{ left: share(row.expected) }} />
                  )}
                </span>
              </td>
              <td>{formatNorm(row.actual)}</td>
              {compared && <td>{formatNorm(row.expected)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
      {compared && <p className={css.note}>The mark on each bar shows the expected norm.</p>}
      {left_out > 0 && <p className={css.note}>And {left_out} more.</p>}
    </>
  )
}
