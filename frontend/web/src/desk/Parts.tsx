/** What several parts of the desk are built from. */
import { Button, Group, Modal, Text, Title } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Broken } from '../parts/States'
import { useTitle } from '../parts/title'
import css from './Desk.module.css'

/** A page of the desk with its heading. */
export function Part({ title, told, children }: { title: string; told: string; children: ReactNode }) {
  useTitle(title)
  return (
    <>
      <Title order={1} fz="1.8rem">
        {title}
      </Title>
      <Text c="dimmed" mt={4} maw="44rem">
        {told}
      </Text>
      {children}
    </>
  )
}

export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={css.part}>
      <Title order={2} fz="1.2rem" mb="sm">
        {title}
      </Title>
      {children}
    </section>
  )
}

export function Chip({ state, children }: { state: string; children: ReactNode }) {
  return (
    <span className={css.chip} data-state={state}>
      {children}
    </span>
  )
}

interface SureProps {
  label: string
  title: string
  children: ReactNode
  act: () => Promise<unknown>
  disabled?: boolean
  /** Whether it takes something away. */
  grave?: boolean
}

/** A button that asks once more, in a sentence that says what will happen. */
export function Sure({ label, title, children, act, disabled, grave }: SureProps) {
  const [open, setOpen] = useState(false)
  const [error, setError] = useState<Error>()
  const [busy, setBusy] = useState(false)
  const go = async () => {
    setBusy(true)
    try {
      await act()
      setOpen(false)
      setError(undefined)
    } catch (refused) {
      setError(refused as Error)
    }
    setBusy(false)
  }
  return (
    <>
      <Button
        size="xs"
        variant="default"
        c={grave ? 'var(--g-bad)' : undefined}
        disabled={disabled}
        onClick={() => setOpen(true)}
      >
        {label}
      </Button>
      <Modal opened={open} onClose={() => setOpen(false)} title={title} centered>
        {children}
        {error && <Broken error={error} />}
        <Group mt="lg" justify="flex-end">
          <Button variant="default" onClick={() => setOpen(false)}>
            Not now
          </Button>
          <Button color={grave ? 'red.9' : undefined} loading={busy} onClick={go}>
            {label}
          </Button>
        </Group>
      </Modal>
    </>
  )
}
