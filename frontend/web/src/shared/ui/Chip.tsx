import type { ReactNode } from 'react'
import css from './Chip.module.css'

interface Props {
  /** Absent for states that are over or waiting. */
  tone?: 'good' | 'new' | 'bad'
  children: ReactNode
}

/** A label for a state. */
export function Chip({ tone, children }: Props) {
  return (
    <span className={css.chip} data-tone={tone}>
      {children}
    </span>
  )
}
