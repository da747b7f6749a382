import { Title } from '@mantine/core'
import type { ReactNode } from 'react'

/** A part of a page that is read, with its heading. */
export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <Title order={2} fz="1.3rem" mt="xl" mb="xs">
        {title}
      </Title>
      {children}
    </section>
  )
}
