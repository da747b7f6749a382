import { Outlet, ScrollRestoration } from 'react-router'
import { ConnectionNote } from './ConnectionNote'
import { FocusOnNavigation } from './FocusOnNavigation'

/** The layout while a candidate takes an assessment. It has no links to other pages. */
export function AssessmentShell() {
  return (
    <>
      <a className="g-skip" href="#main">
        Skip to content
      </a>
      <Outlet />
      <ConnectionNote />
      <ScrollRestoration />
      <FocusOnNavigation />
    </>
  )
}
