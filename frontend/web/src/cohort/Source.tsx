import { useMemo } from 'react'
import { python } from '../parts/highlight'
import css from './Cohort.module.css'

interface Props {
  name: string
  source: string
  /** First and last lines that are marked. */
  shared: number[][]
}

/** Code with numbered lines, of which some are marked. */
export function Source({ name, source, shared }: Props) {
  // A token that goes over several lines is closed and opened again at each of their ends.
  const lines = useMemo(() => apart(python(source.trimEnd())), [source])
  const isShared = (line: number) => shared.some(([first = 0, last = 0]) => first <= line && line <= last)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section className={`${css.code} md-code`} tabIndex={0} aria-label={`Answer of ${name}`}>
      <ol>
        {lines.map((html, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is known by its number
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
