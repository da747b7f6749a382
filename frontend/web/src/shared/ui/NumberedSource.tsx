import { useMemo } from 'react'
import { highlightPython } from '@/shared/markdown/highlight'
import { holdsLine, type LineRange } from './lineRanges'
import css from './NumberedSource.module.css'
import { useLineMarking } from './useLineMarking'

interface Props {
  /** What the code is, for people who cannot see it. */
  label: string
  source: string
  /** First and last line of each marked range. */
  marked: readonly (readonly number[])[]
}

/** Source code with line numbers, some lines marked. */
export function NumberedSource({ label, source, marked }: Props) {
  const lines = useLines(source)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
    <section className={`${css.code} md-code`} tabIndex={0} aria-label={label}>
      <ol>
        {lines.map((html, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is identified by its number
          <li key={place} data-marked={holdsLine(marked, place + 1) || undefined}>
            <span className={css.number} aria-hidden="true">
              {place + 1}
            </span>
            {/* biome-ignore lint/security/noDangerouslySetInnerHtml: escaped in highlight.ts */}
            <span dangerouslySetInnerHTML={{ __html: html }} />
          </li>
        ))}
      </ol>
    </section>
  )
}

interface MarkableProps {
  label: string
  source: string
  marked: LineRange[]
  onMark: (marked: LineRange[]) => void
}

/**
 * Source code whose lines can be marked: with the mouse, by clicking or dragging over the numbers; with the keyboard, by arrow
 * keys, Shift and Space; on a touch screen, by tapping the first and the last line.
 */
export function MarkableSource({ label, source, marked, onMark }: MarkableProps) {
  const lines = useLines(source)
  const marking = useLineMarking(marked, lines.length, onMark)
  return (
    <section className={`${css.code} md-code`} aria-label={label} data-markable>
      <ol ref={marking.list}>
        {lines.map((html, place) => {
          const line = place + 1
          const isMarked = holdsLine(marking.shown, line)
          return (
            <li
              key={line}
              data-marked={isMarked || undefined}
              data-first={marking.first === line || undefined}
            >
              <button
                type="button"
                className={css.number}
                aria-label={`Line ${line}`}
                aria-pressed={isMarked}
                tabIndex={marking.focused === line ? 0 : -1}
                {...marking.handlers(line)}
              >
                {line}
              </button>
              {/* biome-ignore lint/security/noDangerouslySetInnerHtml: escaped in highlight.ts */}
              <span dangerouslySetInnerHTML={{ __html: html }} />
            </li>
          )
        })}
      </ol>
    </section>
  )
}

/** The lines as HTML. A token that spans lines is closed and reopened at each line end. */
function useLines(source: string): string[] {
  return useMemo(() => apart(highlightPython(source.trimEnd())), [source])
}

function apart(html: string): string[] {
  let open = ''
  return html.split('\n').map(line => {
    const whole = open + line
    for (const [tag] of line.matchAll(/<span[^>]*>|<\/span>/g)) open = tag === '</span>' ? '' : tag
    return open ? `${whole}</span>` : whole
  })
}
