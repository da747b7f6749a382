import { Container, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Mark } from '../parts/Mark'
import { Scheme } from '../parts/Scheme'
import css from './Taking.module.css'

interface Props {
  name: ReactNode
  /** What stands at the right of the name while one works. */
  tools?: ReactNode
  children: ReactNode
}

/** A page of an assessment: its name, and nothing that leads elsewhere. */
export function Quiet({ name, tools, children }: Props) {
  return (
    <>
      <header className={css.header} data-busy={tools ? true : undefined}>
        <span className={css.mark} style={{ lineHeight: 0 }}>
          <Mark size={26} />
        </span>
        <span className={css.name}>{name}</span>
        {tools}
        <Scheme />
      </header>
      <main id="main" className={css.main} tabIndex={-1}>
        {children}
      </main>
    </>
  )
}

/** A page that says one thing. */
export function Calm({
  name = 'Gradus',
  title,
  children,
}: {
  name?: string
  title: string
  children: ReactNode
}) {
  return (
    <Quiet name={name}>
      <Container size="xs" py={{ base: 'xl', sm: 80 }}>
        <Title order={1} mb="md">
          {title}
        </Title>
        {children}
      </Container>
    </Quiet>
  )
}
