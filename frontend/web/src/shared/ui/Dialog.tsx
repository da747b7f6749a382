import { CloseButton, Group, Modal } from '@mantine/core'
import type { ReactNode } from 'react'

interface Props {
  title: string
  size?: string
  /** Absent if the dialog requires a decision; it then closes only with that. */
  onClose?: () => void
  opened?: boolean
  children: ReactNode
}

/** A dialog. Its heading is part of the body, because the page's only banner is the site's header. */
export function Dialog({ title, size = 'md', onClose, opened = true, children }: Props) {
  const bound = onClose === undefined
  return (
    <Modal.Root
      opened={opened}
      onClose={onClose ?? (() => undefined)}
      size={size}
      closeOnEscape={!bound}
      closeOnClickOutside={!bound}
    >
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Body p="lg">
          <Group justify="space-between" wrap="nowrap" mb="sm">
            <Modal.Title fz="1.2rem" fw={600} ff="heading">
              {title}
            </Modal.Title>
            {onClose && <CloseButton aria-label="Close" onClick={onClose} />}
          </Group>
          {children}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}
