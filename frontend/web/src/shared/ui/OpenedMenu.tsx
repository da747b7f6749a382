import { Menu } from '@mantine/core'
import { Fragment, type ReactElement, type Ref } from 'react'
import { Link } from 'react-router'
import { useOpenOnMount } from './useOpenOnMount'

export type MenuEntry = { name: string; to?: string; onClick?: () => void; divided?: boolean }

/** Props that the button of a menu passes on to its element. */
export interface MenuButtonProps {
  ref?: Ref<HTMLButtonElement>
  onClick?: () => void
  onPointerEnter?: () => void
  onFocus?: () => void
  'aria-haspopup'?: 'menu'
  'aria-expanded'?: boolean
}

export interface MenuProps {
  entries: MenuEntry[]
  width: number
  button: (props: MenuButtonProps) => ReactElement
}

/** The menu of `LazyMenu`, with its button. */
export default function OpenedMenu({ entries, width, button }: MenuProps) {
  const { opened, setOpened, target } = useOpenOnMount()
  return (
    <Menu width={width} position="bottom-end" opened={opened} onChange={setOpened}>
      <Menu.Target>{button({ ref: target })}</Menu.Target>
      <Menu.Dropdown>
        {entries.map(({ name, to, onClick, divided }) => (
          <Fragment key={name}>
            {divided && <Menu.Divider />}
            {to ? (
              <Menu.Item component={Link} to={to}>
                {name}
              </Menu.Item>
            ) : (
              <Menu.Item onClick={onClick}>{name}</Menu.Item>
            )}
          </Fragment>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
