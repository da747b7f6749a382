import 'katex/dist/katex.min.css'
import './fonts/small.css'
import './markdown.css'
import { type MouseEvent, use, useMemo } from 'react'
import { useNavigate } from 'react-router'
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
  const navigate = useNavigate()
  // The links are plain HTML. Without this, those to other pages of the site would load the whole client again.
  const follow = (event: MouseEvent) => {
    const path = event.target instanceof Element && event.target.closest('a')?.getAttribute('href')
    const asked = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || event.button !== 0
    if (!path || !/^\/(?!\/|api\/)/.test(path) || asked) return
    event.preventDefault()
    void navigate(path)
  }
  // markdown.ts escapes and sanitizes the HTML.
  const content = { dangerouslySetInnerHTML: { __html: html }, onClick: follow }
  return inline ? <span className="md" {...content} /> : <div className="md" {...content} />
}
