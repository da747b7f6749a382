/** Renders Markdown with formulas to HTML. HTML in the source is escaped, and the output is sanitized as well. */
import DOMPurify from 'dompurify'
import { Marked, type MarkedExtension, type TokenizerAndRendererExtension, type Tokens } from 'marked'
import { escapeHtml, highlightPython } from './highlight'

/** Renders a formula as HTML. */
export type Tex = (source: string, display: boolean) => string

const display = (tex: Tex): TokenizerAndRendererExtension => ({
  name: 'display',
  level: 'block',
  start: source => source.match(/\$\$/)?.index,
  tokenizer(source) {
    const found = /^\$\$([\s\S]+?)\$\$(?:\n|$)/.exec(source)
    return found ? { type: 'display', raw: found[0], text: (found[1] ?? '').trim() } : undefined
  },
  renderer: token => `<div class="md-math" tabindex="0">${tex(token.text, true)}</div>`,
})

const inline = (tex: Tex): TokenizerAndRendererExtension => ({
  name: 'inline',
  level: 'inline',
  start: source => source.match(/\$/)?.index,
  tokenizer(source) {
    const found =
      /^\$\$([^$]+?)\$\$/.exec(source) ?? /^\$(?!\s)((?:\\.|[^$\\])+?)(?<!\s)\$(?!\d)/.exec(source)
    return found ? { type: 'inline', raw: found[0], text: found[1] } : undefined
  },
  renderer: token => tex(token.text, false),
})

/** Lines that begin with `>!`, which the reader has to open. */
const spoiler: TokenizerAndRendererExtension = {
  name: 'spoiler',
  level: 'block',
  start: source => source.match(/^>!/m)?.index,
  tokenizer(source) {
    const raw = /^(?:>![^\n]*(?:\n|$))+/.exec(source)?.[0]
    if (raw === undefined) return undefined
    return { type: 'spoiler', raw, tokens: this.lexer.blockTokens(raw.replace(/^>! ?/gm, '')) }
  },
  renderer(token) {
    const hidden = this.parser.parse(token.tokens ?? [])
    return `<details class="md-spoiler"><summary>Spoiler</summary>${hidden}</details>`
  },
}

/**
 * A table header. One that is only a formula gets its source as its label, because not every screen reader reads MathML. An
 * unnamed column has no header cell.
 */
function headed(html: string, source: string): string {
  if (!html) return '<td></td>'
  if (!/^\$[^$]+\$$/.test(source)) return `<th scope="col">${html}</th>`
  const said = `<span class="md-said">${escapeHtml(source.slice(1, -1))}</span>`
  return `<th scope="col">${said}<span aria-hidden="true">${html}</span></th>`
}

const PICTURE = /^\/api\/(?:topics|challenges)\/[a-z0-9-]+\/pictures\/[a-z0-9-]+\.svg(?:#(\d+)x(\d+))?$/

/** A drawing of the catalogue; any other image becomes its alternative text. */
function picture(address: string, says: string): string {
  const found = PICTURE.exec(address)
  if (!found) return escapeHtml(says)
  const size = found[1] ? ` width="${found[1]}" height="${found[2]}"` : ''
  return `<img src="${address.split('#')[0]}" alt="${escapeHtml(says)}"${size} loading="lazy" />`
}

const renderer: NonNullable<MarkedExtension['renderer']> = {
  html: token => escapeHtml(token.text),
  code: ({ text, lang }) => {
    const name = (lang ?? '').split(/\s/)[0]
    const shown = name === 'python' ? highlightPython(text) : escapeHtml(text)
    const kind = name === 'output' ? 'md-output' : 'md-code'
    const label = name === 'output' ? ' aria-label="Output"' : ''
    return `<pre class="${kind}" tabindex="0"${label}><code>${shown}\n</code></pre>`
  },
  table(token) {
    const row = (cells: string[]) => `<tr>${cells.join('')}</tr>`
    const head = row(token.header.map(cell => headed(this.parser.parseInline(cell.tokens), cell.text)))
    const body = token.rows.map(cells =>
      row(cells.map(cell => `<td>${this.parser.parseInline(cell.tokens)}</td>`)),
    )
    return `<div class="md-table" tabindex="0"><table><thead>${head}</thead><tbody>${body.join('')}</tbody></table></div>`
  },
  image: token => picture(token.href, token.text),
}

const authored = (tex: Tex) => new Marked({ gfm: true, extensions: [display(tex), inline(tex)], renderer })

/** For text by users: spoilers, line breaks as typed, headings that are no part of the page's outline, and links without trust. */
const commented = (tex: Tex) =>
  new Marked({
    gfm: true,
    breaks: true,
    extensions: [display(tex), inline(tex), spoiler],
    renderer: {
      ...renderer,
      heading(token) {
        return `<p><strong>${this.parser.parseInline(token.tokens)}</strong></p>`
      },
      link(token) {
        return `<a href="${escapeHtml(token.href)}" rel="nofollow ugc noopener">${this.parser.parseInline(token.tokens)}</a>`
      },
    },
  })

const ALLOWED = {
  ADD_TAGS: ['semantics', 'annotation'],
  ADD_ATTR: ['tabindex', 'encoding'],
  FORBID_TAGS: ['style', 'form'],
}

/** Renders the Markdown of an author, not sanitized. Headings are shifted so that the highest one has level 2: level 1 is the page's title. */
export function renderMarkdown(source: string, tex: Tex): string {
  const marked = authored(tex)
  const tokens = marked.lexer(source)
  const headings = tokens.filter((token): token is Tokens.Heading => token.type === 'heading')
  const up = Math.min(...headings.map(token => token.depth)) - 2
  for (const token of headings) token.depth -= up
  return marked.parser(tokens)
}

export const toHtml = (source: string, tex: Tex) => DOMPurify.sanitize(renderMarkdown(source, tex), ALLOWED)
export const toInlineHtml = (source: string, tex: Tex) =>
  DOMPurify.sanitize(authored(tex).parseInline(source, { async: false }), ALLOWED)

/** Text by a user. What the renderer cannot read, such as a quote in ten thousand quotes, is shown as it was typed. */
export function toCommentHtml(source: string, tex: Tex): string {
  try {
    return DOMPurify.sanitize(commented(tex).parse(source, { async: false }), ALLOWED)
  } catch {
    return `<p>${escapeHtml(source)}</p>`
  }
}
