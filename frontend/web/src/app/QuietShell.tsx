import { Outlet, ScrollRestoration } from 'react-router'
import { ConnectionNote } from './ConnectionNote'
import { FocusOnArrival } from './FocusOnArrival'

/** Around the pages of an assessment that is taken: nothing that leads elsewhere. */
export function QuietShell() {
  return (
    <>
      <a className="g-skip" href="#main">
        Skip to the page
      </a>
      <Outlet />
      <ConnectionNote />
      <ScrollRestoration />
      <FocusOnArrival />
    </>
  )
}
