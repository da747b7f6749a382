import { type ReactNode, useState } from 'react'
import css from './Workspace.module.css'

const [LEAST, MOST, STEP] = [25, 70, 3]

/** The text to read beside the workspace, with a movable divider. */
export function SplitPane({ left, right }: { left: ReactNode; right: ReactNode }) {
  const [width, setWidth] = useState(46)
  const within = (value: number) => setWidth(Math.max(LEAST, Math.min(MOST, value)))
  return (
    <div className={css.split} style={{ '--left': `${width}%` } as React.CSSProperties}>
      <div className={css.left}>{left}</div>
      <button
        type="button"
        className={css.grip}
        aria-label="Resize the statement with the arrow keys"
        onPointerDown={event => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={event => event.buttons === 1 && within((100 * event.clientX) / window.innerWidth)}
        onKeyDown={event => {
          if (event.key === 'ArrowLeft') within(width - STEP)
          if (event.key === 'ArrowRight') within(width + STEP)
        }}
      />
      {right}
    </div>
  )
}
