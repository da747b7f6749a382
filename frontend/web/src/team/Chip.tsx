import type { ReactNode } from 'react'
import css from './Chip.module.css'

interface Props {
  /** Of no tone: what is over, or waits. */
  tone?: 'good' | 'new' | 'bad'
  children: ReactNode
}

/** A word that says how something stands. */
export function Chip({ tone, children }: Props) {
  return (
    <span className={css.chip} data-tone={tone}>
      {children}
    </span>
  )
}
