/** Marks in the text: syntax errors, and lines that the last judging points at. */
import { ensureSyntaxTree, syntaxTree } from '@codemirror/language'
import { type Diagnostic, linter, setDiagnostics } from '@codemirror/lint'
import { type EditorState, type Extension, StateEffect, StateField } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'

export interface Mark {
  line: number
  /** The line as it was judged; once it changes, the mark disappears. */
  text: string
  message: string
}

const MOST = 5
// How long finishing the parse may block the page.
const PARSE_MS = 50
// How long after the last keystroke to check the text.
const PAUSE_MS = 600

const setMarks = StateEffect.define<Mark[]>()
const marksOf = StateField.define<Mark[]>({
  create: () => [],
  update: (marks, { effects }) =>
    effects.reduce((marks, each) => (each.is(setMarks) ? each.value : marks), marks),
})

const diagnostics = (state: EditorState) => [
  ...judgedMarks(state, state.field(marksOf)),
  ...syntaxErrors(state),
]

/** Checks the text after a pause in typing, and again when the parser has progressed. */
export const lintExtension: Extension = [
  marksOf,
  linter(({ state }) => diagnostics(state), {
    delay: PAUSE_MS,
    needsRefresh: ({ state, startState }) => syntaxTree(state) !== syntaxTree(startState),
  }),
]

/** Shows marks at once; otherwise the linter runs only after an edit. */
export function showMarks(view: EditorView, marks: Mark[]) {
  view.dispatch({ effects: setMarks.of(marks) })
  view.dispatch(setDiagnostics(view.state, diagnostics(view.state)))
}

export function syntaxErrors(state: EditorState): Diagnostic[] {
  const found: Diagnostic[] = []
  // An incomplete tree has an error at its end that is not the user's.
  ensureSyntaxTree(state, state.doc.length, PARSE_MS)?.iterate({
    enter: node => {
      if (!node.type.isError || found.length >= MOST) return
      // An empty error node means that something is missing: mark the character before it.
      const missing = node.from === node.to
      const start = missing ? state.sliceDoc(0, node.from).trimEnd().length - 1 : node.from
      if (start < 0) return
      const to = missing ? start + 1 : Math.min(node.to, state.doc.lineAt(start).to)
      if (start < to && found.at(-1)?.from !== start)
        found.push({ from: start, to, severity: 'warning', message: 'This is not valid Python.' })
    },
  })
  return found
}

export function judgedMarks(state: EditorState, marks: Mark[]): Diagnostic[] {
  return marks.flatMap(mark => {
    if (mark.line < 1 || mark.line > state.doc.lines) return []
    const line = state.doc.line(mark.line)
    if (line.text !== mark.text) return []
    return [{ from: line.from, to: line.to, severity: 'error' as const, message: mark.message }]
  })
}
