import 'katex/dist/katex.min.css'
import './markdown.css'
import { useMemo } from 'react'
import { highlightPython } from './highlight'
import { toCommentHtml, toHtml, toInlineHtml } from './markdown'

export default function RenderedMarkdown({
  source,
  inline,
  code,
  comment,
}: {
  source: string
  inline?: boolean
  code?: boolean
  comment?: boolean
}) {
  const html = useMemo(
    () =>
      code
        ? `<pre class="md-code" tabindex="0"><code>${highlightPython(source)}</code></pre>`
        : inline
          ? toInlineHtml(source)
          : comment
            ? toCommentHtml(source)
            : toHtml(source),
    [source, inline, code, comment],
  )
  // markdown.ts escapes and sanitizes the HTML.
  const content = { dangerouslySetInnerHTML: { __html: html } }
  return inline ? <span className="md" {...content} /> : <div className="md" {...content} />
}
