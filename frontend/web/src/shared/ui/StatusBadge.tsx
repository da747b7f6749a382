import type { ReactNode } from 'react'
import css from './StatusBadge.module.css'

export function StatusBadge({ state, children }: { state: string; children: ReactNode }) {
  return (
    <span className={css.badge} data-state={state}>
      {children}
    </span>
  )
}
