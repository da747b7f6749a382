/** Shared building blocks of the admin pages. */
import { Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTitle } from '@/shared/hooks/useTitle'
import css from './Admin.module.css'

/** An admin page with its heading. */
export function AdminPart({
  title,
  description,
  children,
}: {
  title: string
  description: string
  children: ReactNode
}) {
  useTitle(title)
  return (
    <>
      <Title order={1} fz="1.8rem">
        {title}
      </Title>
      <Text c="dimmed" mt={4} maw="44rem">
        {description}
      </Text>
      {children}
    </>
  )
}

export function AdminSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={css.part}>
      <Title order={2} fz="1.2rem" mb="sm">
        {title}
      </Title>
      {children}
    </section>
  )
}
