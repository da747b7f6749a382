import { Kbd, UnstyledButton } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useShortcuts, useSingleKeyShortcuts } from '@/shared/hooks/useShortcuts'
import css from './SearchBox.module.css'
import { SearchDialog } from './SearchDialog'

/** The search button in the header; `/` and Ctrl+K open the search from everywhere. */
export function SearchBox() {
  const [opened, { open, close }] = useDisclosure(false)
  useHotkeys([['mod+K', open]])
  useShortcuts([['/', open]])
  const [single] = useSingleKeyShortcuts()
  return (
    <>
      <UnstyledButton
        className={css.box}
        onClick={open}
        aria-label="Search"
        aria-keyshortcuts={single ? '/ Control+K' : 'Control+K'}
      >
        <IconSearch size={17} aria-hidden />
        <span className={css.words}>Search</span>
        <Kbd size="xs" className={css.words} aria-hidden>
          {single ? '/' : 'Ctrl+K'}
        </Kbd>
      </UnstyledButton>
      {opened && <SearchDialog onClose={close} />}
    </>
  )
}
