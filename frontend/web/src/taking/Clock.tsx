import { VisuallyHidden } from '@mantine/core'
import css from './Taking.module.css'
import { clockFace, useLeft } from './time'

const ANNOUNCED = [30, 10, 5, 1]

interface Props {
  deadline: string
  /** The section whose own time runs. */
  section?: string
  onJump: () => void
}

/** The time that is left, by the service's clock. Seen every second, said aloud 30, 10, 5 and one minute before the end. */
export function Clock({ deadline, section, onJump }: Props) {
  const left = useLeft(deadline, onJump)
  const minutes = Math.ceil(left / 60)
  const said = ANNOUNCED.filter(each => minutes <= each).at(-1)
  const name = section ? `in ${section}` : 'left'
  return (
    <>
      <span
        className={section ? css.section : css.clock}
        data-late={left <= 60 || undefined}
        aria-hidden="true"
        title={section ? `Time of the section «${section}»` : 'Time left'}
      >
        {section && 'Section '}
        {clockFace(left)}
      </span>
      <VisuallyHidden role="status">
        {left === 0 ? 'The time is over.' : said && `${said} ${said === 1 ? 'minute' : 'minutes'} ${name}.`}
      </VisuallyHidden>
    </>
  )
}
