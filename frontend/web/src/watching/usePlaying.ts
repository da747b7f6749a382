import { useCallback, useEffect, useRef, useState } from 'react'

/** A place on a line of some length that moves on by itself while it plays; in milliseconds. */
export function usePlaying(length: number, speed: number) {
  const [place, setPlace] = useState(length)
  const [playing, setPlaying] = useState(false)
  const before = useRef(0)

  useEffect(() => {
    if (!playing) return
    before.current = performance.now()
    let frame = requestAnimationFrame(function on(moment) {
      const passed = (moment - before.current) * speed
      before.current = moment
      setPlace(at => Math.min(length, at + passed))
      frame = requestAnimationFrame(on)
    })
    return () => cancelAnimationFrame(frame)
  }, [playing, speed, length])

  useEffect(() => {
    if (place >= length) setPlaying(false)
  }, [place, length])

  const go = useCallback((to: number) => setPlace(Math.min(length, Math.max(0, to))), [length])
  const toggle = () => {
    if (!playing && place >= length) setPlace(0)
    setPlaying(!playing)
  }
  return { place, playing, go, toggle }
}
