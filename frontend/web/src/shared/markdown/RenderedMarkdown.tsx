import 'katex/dist/katex.min.css'
import './fonts/small.css'
import './markdown.css'
import { use, useMemo } from 'react'
import { texFor } from './formulas'
import { highlightPython } from './highlight'
import { type Tex, toCommentHtml, toHtml, toInlineHtml } from './markdown'

const withoutFormulas: Tex = () => ''

export default function RenderedMarkdown({
  source,
  inline,
  code,
  comment,
  formulas,
}: {
  source: string
  inline?: boolean
  code?: boolean
  comment?: boolean
  /** The address of the text's formulas, if the build has rendered them. */
  formulas?: string
}) {
  const tex = !code && source.includes('$') ? use(texFor(source, formulas)) : withoutFormulas
  const html = useMemo(
    () =>
      code
        ? `<pre class="md-code" tabindex="0"><code>${highlightPython(source)}</code></pre>`
        : inline
          ? toInlineHtml(source, tex)
          : comment
            ? toCommentHtml(source, tex)
            : toHtml(source, tex),
    [source, inline, code, comment, tex],
  )
  // markdown.ts escapes and sanitizes the HTML.
  const content = { dangerouslySetInnerHTML: { __html: html } }
  return inline ? <span className="md" {...content} /> : <div className="md" {...content} />
}
