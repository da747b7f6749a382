import { useMemo } from 'react'
import { highlightPython } from '@/shared/markdown/highlight'
import css from './Results.module.css'

interface Props {
  name: string
  source: string
  /** First and last line of each marked range. */
  shared: number[][]
}

/** Source code with line numbers, some lines marked. */
export function MatchedSource({ name, source, shared }: Props) {
  // A token that spans lines is closed and reopened at each line end.
  const lines = useMemo(() => apart(highlightPython(source.trimEnd())), [source])
  const isShared = (line: number) => shared.some(([first = 0, last = 0]) => first <= line && line <= last)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
    <section className={`${css.code} md-code`} tabIndex={0} aria-label={`Answer by ${name}`}>
      <ol>
        {lines.map((html, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is identified by its number
          <li key={place} data-shared={isShared(place + 1) || undefined}>
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

function apart(html: string): string[] {
  let open = ''
  return html.split('\n').map(line => {
    const whole = open + line
    for (const [tag] of line.matchAll(/<span[^>]*>|<\/span>/g)) open = tag === '</span>' ? '' : tag
    return open ? `${whole}</span>` : whole
  })
}
