import { lazy, Suspense, useState } from 'react'
import type { MenuProps } from './OpenedMenu'

const load = () => import('./OpenedMenu')
const OpenedMenu = lazy(load)

/** A button with a menu. The menu is loaded when the button is first pointed at, focused or pressed. */
export function LazyMenu(props: MenuProps) {
  const [used, setUsed] = useState(false)
  const closed = props.button({
    onClick: () => setUsed(true),
    onPointerEnter: load,
    onFocus: load,
    'aria-haspopup': 'menu',
    'aria-expanded': false,
  })
  if (!used) return closed
  return (
    <Suspense fallback={closed}>
      <OpenedMenu {...props} />
    </Suspense>
  )
}
