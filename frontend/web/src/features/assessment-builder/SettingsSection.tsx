import { Paper, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import css from './Builder.module.css'

interface Props {
  id: string
  title: string
  hint?: string
  children: ReactNode
}

/** A group of settings: a heading and its fields on one sheet. */
export function SettingsSection({ id, title, hint, children }: Props) {
  return (
    <section aria-labelledby={id} className={css.part}>
      <Title order={2} id={id} fz="1.3rem">
        {title}
      </Title>
      {hint && (
        <Text size="sm" c="dimmed" mt={2}>
          {hint}
        </Text>
      )}
      <Paper radius="md" p="lg" mt="sm">
        {children}
      </Paper>
    </section>
  )
}
