import { useEffect, useRef } from 'react'
import { NavLink, useLocation } from 'react-router'
import css from './Tabs.module.css'

interface Props {
  label: string
  tabs: readonly (readonly [to: string, name: string])[]
}

/** The parts of a team or an assessment, each a page with an address of its own. */
export function Tabs({ label, tabs }: Props) {
  const bar = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  // On a phone not all of them fit: the present one is brought into the middle.
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever another page is shown
  useEffect(() => {
    const tab = bar.current?.querySelector<HTMLElement>('[aria-current]')
    if (!bar.current || !tab) return
    const { offsetLeft, clientWidth } = bar.current
    bar.current.scrollLeft = tab.offsetLeft - offsetLeft - (clientWidth - tab.offsetWidth) / 2
  }, [pathname])
  return (
    <nav ref={bar} aria-label={label} className={css.tabs}>
      {tabs.map(([to, name]) => (
        <NavLink key={to} to={to} end className={css.tab}>
          {name}
        </NavLink>
      ))}
    </nav>
  )
}
