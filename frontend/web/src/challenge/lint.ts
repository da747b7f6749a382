/** Marks in the text: where Python would not read it, and lines that the last judging pointed at. */
import { syntaxTree } from '@codemirror/language'
import type { Diagnostic } from '@codemirror/lint'
import type { EditorState } from '@codemirror/state'

export interface Mark {
  line: number
  /** The line as it was judged: once it is another one, the mark goes. */
  text: string
  message: string
}

const MOST = 5

export function syntaxErrors(state: EditorState): Diagnostic[] {
  const found: Diagnostic[] = []
  syntaxTree(state).iterate({
    enter: node => {
      if (!node.type.isError || found.length >= MOST) return
      const from = Math.min(node.from, state.doc.length)
      const line = state.doc.lineAt(from)
      // An empty error is something that is missing: the mark needs a character to stand under.
      const start = node.from === node.to ? Math.max(line.from, from - 1) : from
      const to = Math.min(Math.max(start + 1, node.to), line.to)
      if (start < to && found.at(-1)?.from !== start)
        found.push({ from: start, to, severity: 'warning', message: 'Python cannot read this yet.' })
    },
  })
  return found
}

export function judged(state: EditorState, marks: Mark[]): Diagnostic[] {
  return marks.flatMap(mark => {
    if (mark.line < 1 || mark.line > state.doc.lines) return []
    const line = state.doc.line(mark.line)
    if (line.text !== mark.text) return []
    return [{ from: line.from, to: line.to, severity: 'error' as const, message: mark.message }]
  })
}

/** Without blanks at the ends of lines (but for those inside texts), and with one newline at the end. */
export function tidied(state: EditorState): { from: number; to: number; insert: string }[] {
  const tree = syntaxTree(state)
  const changes: { from: number; to: number; insert: string }[] = []
  const { doc } = state
  const end = doc.toString().trimEnd().length
  for (let number = 1; number <= doc.lines; number++) {
    const line = doc.line(number)
    if (line.from >= end) break
    const kept = line.from + line.text.trimEnd().length
    const inText = /String/.test(tree.resolveInner(line.to, -1).name) && number < doc.lines
    if (kept < line.to && line.to < end && !inText) changes.push({ from: kept, to: line.to, insert: '' })
  }
  if (doc.sliceString(end) !== '\n') changes.push({ from: end, to: doc.length, insert: '\n' })
  return changes
}
