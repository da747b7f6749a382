import { Paper, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import css from './Section.module.css'

/** A section of the account page, with its own anchor. */
export function Section({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section id={id} aria-labelledby={`${id}-title`} className={css.section}>
      <Title order={2} id={`${id}-title`} fz="1.3rem" mb="sm">
        {title}
      </Title>
      <Paper radius="lg" className={css.sheet}>
        {children}
      </Paper>
    </section>
  )
}

interface RowProps {
  label: ReactNode
  /** An explanation below the label. */
  hint?: ReactNode
  /** Controls on the right. */
  action?: ReactNode
  /** A form or a message below the row. */
  children?: ReactNode
  /** Whether the content below needs the full width. */
  wide?: boolean
}

/** One setting: its label on the left, its controls on the right, and the form that they open below. */
export function Row({ label, hint, action, children, wide = false }: RowProps) {
  return (
    <div className={css.row}>
      <div className={css.line}>
        <div className={css.text}>
          <div className={css.label}>{label}</div>
          {hint && (
            <Text size="sm" c="dimmed" component="div">
              {hint}
            </Text>
          )}
        </div>
        {action && <div className={css.action}>{action}</div>}
      </div>
      {children && (
        <div className={css.below} data-wide={wide}>
          {children}
        </div>
      )}
    </div>
  )
}
