import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'

/** After a change of page, the keyboard goes on from its beginning, and a screen reader reads from there. */
export function FocusOnArrival() {
  const { pathname } = useLocation()
  const before = useRef(pathname)
  useEffect(() => {
    if (before.current !== pathname) document.getElementById('main')?.focus({ preventScroll: true })
    before.current = pathname
  }, [pathname])
  return null
}
