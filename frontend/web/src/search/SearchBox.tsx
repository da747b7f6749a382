import { Kbd, UnstyledButton } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { Dialog } from './Dialog'
import css from './SearchBox.module.css'

/** The header's way to search; `/` and Ctrl+K open it from everywhere. */
export function SearchBox() {
  const [opened, { open, close }] = useDisclosure(false)
  useHotkeys([
    ['/', open],
    ['mod+K', open],
  ])
  return (
    <>
      <UnstyledButton className={css.box} onClick={open} aria-label="Search" aria-keyshortcuts="/ Control+K">
        <IconSearch size={17} aria-hidden />
        <span className={css.words}>Search</span>
        <Kbd size="xs" className={css.words} aria-hidden>
          /
        </Kbd>
      </UnstyledButton>
      {opened && <Dialog onClose={close} />}
    </>
  )
}
