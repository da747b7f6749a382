import { Container, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { ColorSchemeToggle } from '@/shared/ui/ColorSchemeToggle'
import { Logo } from '@/shared/ui/Logo'
import css from './Participation.module.css'

interface Props {
  name: ReactNode
  /** Shown to the right of the name during the assessment. */
  tools?: ReactNode
  children: ReactNode
}

/** The layout of an assessment's pages: its name, and no links to other pages. */
export function CandidateFrame({ name, tools, children }: Props) {
  return (
    <>
      <header className={css.header} data-busy={tools ? true : undefined}>
        <span className={css.mark} style={{ lineHeight: 0 }}>
          <Logo size={26} />
        </span>
        <span className={css.name}>{name}</span>
        {tools}
        <ColorSchemeToggle />
      </header>
      <main id="main" className={css.main} tabIndex={-1}>
        {children}
      </main>
    </>
  )
}

/** A page with a single message. */
export function CandidateMessage({
  name = 'Gradus',
  title,
  children,
}: {
  name?: string
  title: string
  children: ReactNode
}) {
  return (
    <CandidateFrame name={name}>
      <Container size="xs" py={{ base: 'xl', sm: 80 }}>
        <Title order={1} mb="md">
          {title}
        </Title>
        {children}
      </Container>
    </CandidateFrame>
  )
}
