import { Title } from '@mantine/core'
import type { ReactNode } from 'react'

/** A section of text with a heading. */
export function TextSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <Title order={2} fz="1.3rem" mt="xl" mb="xs">
        {title}
      </Title>
      {children}
    </section>
  )
}
