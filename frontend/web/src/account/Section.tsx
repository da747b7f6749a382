import { Paper, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import css from './Section.module.css'

/** A part of the account page, with an address of its own. */
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
  /** What is to be known about it. */
  hint?: ReactNode
  /** What can be done about it. */
  action?: ReactNode
  /** A form or an answer below. */
  children?: ReactNode
  /** Whether what is below needs the whole width. */
  wide?: boolean
}

/** One thing: what it is at the left, what can be done at the right, and below it what that asks. */
export function Row({ label, hint, action, children, wide = false }: RowProps) {
  return (
    <div className={css.row}>
      <div className={css.line}>
        <div className={css.told}>
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
