import 'katex/dist/katex.min.css'
import './markdown.css'
import { useMemo } from 'react'
import { highlightPython } from './highlight'
import { toHtml, toInlineHtml } from './markdown'

export default function RenderedMarkdown({
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
        ? `<pre class="md-code" tabindex="0"><code>${highlightPython(source)}</code></pre>`
        : inline
          ? toInlineHtml(source)
          : toHtml(source),
    [source, inline, code],
  )
  // markdown.ts escapes and sanitizes the HTML.
  const content = { dangerouslySetInnerHTML: { __html: html } }
  return inline ? <span className="md" {...content} /> : <div className="md" {...content} />
}
