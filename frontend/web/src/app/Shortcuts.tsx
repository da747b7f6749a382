import { ActionIcon } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconKeyboard } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useNavigate } from 'react-router'
import { useShortcuts } from '@/shared/hooks/useShortcuts'
import css from './Shell.module.css'

const load = () => import('./ShortcutsDialog')
const ShortcutsDialog = lazy(load)

/** Keyboard shortcuts of every page. `?` and a button in the header list them and show where to switch them off. */
export function Shortcuts() {
  const [opened, { toggle, open, close }] = useDisclosure(false)
  // The dialog is loaded when it is first opened. It stays then, so that it can fade out.
  const [used, setUsed] = useState(false)
  if (opened && !used) setUsed(true)
  const go = useNavigate()
  useShortcuts([
    ['shift+?', toggle],
    ['c', () => go('/catalogue')],
    ['t', () => go('/tracks')],
    ['r', () => go('/cards')],
  ])
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label="Keyboard shortcuts"
        className={css.keys}
        onClick={open}
        onPointerEnter={load}
        onFocus={load}
      >
        <IconKeyboard size={19} />
      </ActionIcon>
      {used && (
        <Suspense>
          <ShortcutsDialog opened={opened} onClose={close} />
        </Suspense>
      )}
    </>
  )
}
