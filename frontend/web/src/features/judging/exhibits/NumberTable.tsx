import { type ReactNode, useState } from 'react'
import css from './Exhibit.module.css'

export const short = (value: number | null | undefined) =>
  value == null ? 'not finite' : String(Number(value.toPrecision(3)))

/** The numbers of a picture as a table, rendered when opened. */
export function NumberTable({ children }: { children: () => ReactNode }) {
  const [open, setOpen] = useState(false)
  return (
    <details className={css.table} onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>Show as a table</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard */}
      {open && <div tabIndex={0}>{children()}</div>}
    </details>
  )
}
