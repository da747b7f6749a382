import { useEffect } from 'react'

/** Names the page in the browser's tab. */
export function useTitle(name?: string) {
  useEffect(() => {
    document.title = name ? `${name} · Gradus` : 'Gradus'
  }, [name])
}
