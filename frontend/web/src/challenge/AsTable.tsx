import { type ReactNode, useState } from 'react'
import css from './Exhibit.module.css'

export const short = (value: number | null | undefined) =>
  value == null ? 'not finite' : String(Number(value.toPrecision(3)))

/** The same numbers as a table, made when somebody opens it. */
export function AsTable({ children }: { children: () => ReactNode }) {
  const [open, setOpen] = useState(false)
  return (
    <details className={css.table} onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>As a table</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      {open && <div tabIndex={0}>{children()}</div>}
    </details>
  )
}
