import { useEffect, useRef } from 'react'
import { NavLink, useLocation } from 'react-router'
import css from './PageTabs.module.css'

interface Props {
  label: string
  tabs: readonly (readonly [to: string, name: string])[]
}

/** The tabs of a team or an assessment; each is a page with its own URL. */
export function PageTabs({ label, tabs }: Props) {
  const bar = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  // Narrow screens do not fit all tabs, so scroll the current one to the centre.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs whenever another page is shown
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
