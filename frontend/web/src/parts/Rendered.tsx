import 'katex/dist/katex.min.css'
import './markdown.css'
import { useMemo } from 'react'
import { python } from './highlight'
import { toHtml, toInlineHtml } from './markdown'

export default function Rendered({
  source,
  inline,
  code,
}: {
  source: string
  inline?: boolean
  code?: boolean
}) {
  const html = useMemo(
    () =>
      code
        ? `<pre class="md-code" tabindex="0"><code>${python(source)}</code></pre>`
        : inline
          ? toInlineHtml(source)
          : toHtml(source),
    [source, inline, code],
  )
  // Escaped and sanitized in markdown.ts.
  const content = { dangerouslySetInnerHTML: { __html: html } }
  return inline ? <span className="md" {...content} /> : <div className="md" {...content} />
}
