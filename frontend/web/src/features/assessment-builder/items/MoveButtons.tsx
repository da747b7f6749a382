import { ActionIcon } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconTrash } from '@tabler/icons-react'
import type { KeyboardEvent } from 'react'
import { flushSync } from 'react-dom'
import type { Step } from '../plan/changes'

interface Props {
  /** What is moved, as shown to the reader and as a prefix of ids. */
  name: string
  id: string
  can: (by: Step) => boolean
  move: (by: Step) => void
  remove: () => void
}

/** Buttons to move something up or down and to remove it. A button keeps the focus while its element moves. */
export function MoveButtons({ name, id, can, move, remove }: Props) {
  const go = (by: Step) => {
    if (!can(by)) return
    focusAfter(() => move(by), idOf(id, by))
  }
  return (
    <ActionIcon.Group>
      {([-1, 1] as const).map(by => (
        <ActionIcon
          key={by}
          id={idOf(id, by)}
          variant="default"
          size="lg"
          aria-label={`Move ${name} ${by === 1 ? 'down' : 'up'}`}
          aria-disabled={!can(by)}
          data-disabled={!can(by) || undefined}
          onClick={() => go(by)}
        >
          {by === 1 ? <IconArrowDown size={16} /> : <IconArrowUp size={16} />}
        </ActionIcon>
      ))}
      <ActionIcon variant="default" size="lg" aria-label={`Remove ${name}`} onClick={remove}>
        <IconTrash size={16} />
      </ActionIcon>
    </ActionIcon.Group>
  )
}

const idOf = (id: string, by: Step) => `${id}-${by === 1 ? 'down' : 'up'}`

/**
 * Changes the plan, and focuses an element of the changed page. Both happen before the handler of the event returns: a focus that
 * came a frame later could take the next keystrokes away from the field that the author has moved to.
 */
export function focusAfter(change: () => void, id: string) {
  flushSync(change)
  document.getElementById(id)?.focus()
}

/** Alt and an arrow key move the focused element. */
export const byArrow =
  (id: string, can: (by: Step) => boolean, move: (by: Step) => void) => (event: KeyboardEvent) => {
    const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
    if (!event.altKey || by === 0) return
    event.preventDefault()
    event.stopPropagation()
    const held = document.activeElement?.id || idOf(id, by)
    if (!can(by)) return
    focusAfter(() => move(by), held)
  }
