import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'

/** After navigation, moves the focus to the start of the new page, so that the keyboard and screen readers begin there. */
export function FocusOnNavigation() {
  const { pathname } = useLocation()
  const before = useRef(pathname)
  useEffect(() => {
    if (before.current !== pathname) document.getElementById('main')?.focus({ preventScroll: true })
    before.current = pathname
  }, [pathname])
  return null
}
