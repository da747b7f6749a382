import { useEffect, useRef, useState } from 'react'

/** The state of a menu that is loaded on its first use: it opens at once, with the focus on its button, to which closing returns. */
export function useOpenOnMount() {
  const [opened, setOpened] = useState(false)
  const target = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    target.current?.focus()
    setOpened(true)
  }, [])
  return { opened, setOpened, target }
}
