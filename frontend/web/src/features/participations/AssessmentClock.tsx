import { VisuallyHidden } from '@mantine/core'
import { useState } from 'react'
import { formatClock, useSecondsLeft } from './clock'
import css from './Participation.module.css'

const ANNOUNCED = [30, 10, 5, 1]

interface Props {
  deadline: string
  /** The section whose own time is running. */
  section?: string
  onJump: () => void
}

/**
 * The time left, by the service's clock. Updates every second; screen readers announce 30, 10, 5 and one minute before the end.
 */
export function AssessmentClock({ deadline, section, onJump }: Props) {
  const left = useSecondsLeft(deadline, onJump)
  const minutes = Math.ceil(left / 60)
  // Skip announcements that were due before the page opened: a candidate with two minutes in all must not hear «five minutes».
  const [first] = useState(minutes)
  const said = ANNOUNCED.filter(each => minutes <= each && each <= first).at(-1)
  const name = section ? `left in ${section}` : 'left'
  return (
    <>
      <span
        className={section ? css.section : css.clock}
        data-late={left <= 60 || undefined}
        aria-hidden="true"
        title={section ? `Time left in the section “${section}”` : 'Time left'}
      >
        {section && 'Section '}
        {formatClock(left)}
      </span>
      <VisuallyHidden role="status">
        {left === 0 ? 'Time is up.' : said && `${said} ${said === 1 ? 'minute' : 'minutes'} ${name}.`}
      </VisuallyHidden>
    </>
  )
}
