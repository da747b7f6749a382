import { useEffect } from 'react'

/** Sets the title of the browser tab. */
export function useTitle(name?: string) {
  useEffect(() => {
    document.title = name ? `${name} · Gradus` : 'Gradus'
  }, [name])
}
