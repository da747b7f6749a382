import { NavLink } from 'react-router'
import css from './Tabs.module.css'

interface Props {
  label: string
  tabs: readonly (readonly [to: string, name: string])[]
}

/** The parts of a team or an assessment, each a page with an address of its own. */
export function Tabs({ label, tabs }: Props) {
  return (
    <nav aria-label={label} className={css.tabs}>
      {tabs.map(([to, name]) => (
        <NavLink key={to} to={to} end className={css.tab}>
          {name}
        </NavLink>
      ))}
    </nav>
  )
}
