/** Highlights Python as HTML, with a class for each kind of token. It uses the same parser as the editor. */
import { highlightTree, tags as t, tagHighlighter } from '@lezer/highlight'
import { parser } from '@lezer/python'

const classes = tagHighlighter([
  {
    tag: [t.keyword, t.controlKeyword, t.operatorKeyword, t.definitionKeyword, t.moduleKeyword],
    class: 'tok-key',
  },
  { tag: [t.string, t.special(t.string)], class: 'tok-text' },
  { tag: [t.number, t.bool, t.null], class: 'tok-num' },
  { tag: [t.comment, t.lineComment], class: 'tok-note' },
  {
    tag: [t.definition(t.variableName), t.function(t.definition(t.variableName)), t.className],
    class: 'tok-def',
  },
])

export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, sign => `&#${sign.charCodeAt(0)};`)

export function highlightPython(code: string): string {
  let html = ''
  let done = 0
  highlightTree(parser.parse(code), classes, (from, to, name) => {
    html += `${escapeHtml(code.slice(done, from))}<span class="${name}">${escapeHtml(code.slice(from, to))}</span>`
    done = to
  })
  return html + escapeHtml(code.slice(done))
}
