import { VisuallyHidden } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import { type View, ViewContext } from './views'
import css from './Workspace.module.css'

const [LEAST, MOST, STEP] = [25, 70, 3]
const NAMES: Record<View, string> = { read: 'Read', code: 'Code', results: 'Results' }
// The targets of the skip links in the header; both are in the view “Code”.
const SKIP_TARGETS = ['#editor', '#send']

interface Props {
  /** The title of the page, for screen readers while the text is hidden. */
  title: string
  left: ReactNode
  right: ReactNode
  /** The views of narrow screens, which show one at a time. */
  views?: View[]
}

/** The text to read beside the workspace, with a movable divider. On narrow screens, a bar switches between the two. */
export function SplitPane({ title, left, right, views = ['read', 'code', 'results'] }: Props) {
  const [width, setWidth] = useState(46)
  const [view, setView] = useState<View>('read')
  const within = (value: number) => setWidth(Math.max(LEAST, Math.min(MOST, value)))
  const height = useVisibleHeight()
  useEffect(() => {
    const skip = () => SKIP_TARGETS.includes(window.location.hash) && setView('code')
    skip()
    window.addEventListener('hashchange', skip)
    return () => window.removeEventListener('hashchange', skip)
  }, [])
  const style = { '--left': `${width}%`, '--visible': height && `${height}px` } as React.CSSProperties
  return (
    <ViewContext value={setView}>
      <div className={css.split} data-view={view} style={style}>
        <fieldset className={css.views} aria-label="View">
          {views.map(each => (
            <button key={each} type="button" aria-pressed={each === view} onClick={() => setView(each)}>
              {NAMES[each]}
            </button>
          ))}
        </fieldset>
        {view !== 'read' && (
          <div className={css.hiddenTitle}>
            <VisuallyHidden component="h1">{title}</VisuallyHidden>
          </div>
        )}
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
    </ViewContext>
  )
}

/**
 * The height that an on-screen keyboard leaves free, in pixels; undefined while no keyboard is open. CSS has no unit for it in
 * Safari, where the buttons below the editor would be behind the keyboard.
 */
function useVisibleHeight(): number | undefined {
  const [height, setHeight] = useState<number>()
  useEffect(() => {
    const visible = window.visualViewport
    if (!visible) return
    const measure = () =>
      setHeight(visible.scale === 1 && visible.height < window.innerHeight ? visible.height : undefined)
    visible.addEventListener('resize', measure)
    return () => visible.removeEventListener('resize', measure)
  }, [])
  return height
}
