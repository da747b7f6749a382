import { VisuallyHidden } from '@mantine/core'
import { useEffect, useState } from 'react'
import css from './Interview.module.css'

const ANNOUNCED = [10, 5, 1]
const SECOND_MS = 1000

/**
 * The time left, by the server's clock. Updates every second; screen readers announce ten, five and one minute before the end.
 */
export function InterviewClock({
  deadline,
  skew,
  onEnd,
}: {
  deadline: string
  skew: number
  onEnd: () => void
}) {
  const left = useLeft(Date.parse(deadline) - skew)
  const over = left <= 0
  useEffect(() => {
    if (over) onEnd()
  }, [over, onEnd])
  const minutes = Math.ceil(left / 60)
  const said = ANNOUNCED.filter(each => minutes <= each).at(-1)
  return (
    <>
      <span className={css.clock} data-late={left <= 60 || undefined} aria-hidden="true">
        {Math.floor(left / 60)}:{String(left % 60).padStart(2, '0')}
      </span>
      <VisuallyHidden role="status">
        {over ? 'Time is up.' : said && `${said} ${said === 1 ? 'minute' : 'minutes'} left.`}
      </VisuallyHidden>
    </>
  )
}

/** Whole seconds until a time of this browser's clock. */
function useLeft(moment: number): number {
  const seconds = () => Math.max(0, Math.ceil((moment - Date.now()) / SECOND_MS))
  const [left, setLeft] = useState(seconds)
  useEffect(() => {
    const tick = () => setLeft(Math.max(0, Math.ceil((moment - Date.now()) / SECOND_MS)))
    tick()
    const timer = setInterval(tick, SECOND_MS)
    return () => clearInterval(timer)
  }, [moment])
  return left
}
