import { useCallback, useEffect, useRef, useState } from 'react'

/** The playback position on a timeline of the given length, in milliseconds; it advances while playing. */
export function usePlayback(length: number, speed: number) {
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
