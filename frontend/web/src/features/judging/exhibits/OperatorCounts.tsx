import css from './Exhibit.module.css'

export interface OperatorsData {
  rows: { name: string; count: number }[]
  left_out: number
}

/** The operators that ran inside the cell and how often. They are an observation, not a proof. */
export function OperatorCounts({ data: { rows, left_out } }: { data: OperatorsData }) {
  if (rows.length === 0) return <p className={css.note}>No operators were recorded.</p>
  const groups: [string, OperatorsData['rows']][] = [
    ['torch functions', rows.filter(row => !row.name.includes('::'))],
    ['Underlying operators', rows.filter(row => row.name.includes('::'))],
  ]
  return (
    <>
      {groups.map(
        ([title, members]) =>
          members.length > 0 && (
            <div key={title} className={css.operators}>
              <p className={css.note}>{title}</p>
              <ul>
                {members.map(({ name, count }) => (
                  <li key={name}>
                    <code>{name}</code>
                    {count > 1 && <span> × {count}</span>}
                  </li>
                ))}
              </ul>
            </div>
          ),
      )}
      {left_out > 0 && <p className={css.note}>And {left_out} more.</p>}
    </>
  )
}
