import { cursorCharLeft, cursorCharRight, indentLess, indentMore, redo, undo } from '@codemirror/commands'
import { EditorSelection, type EditorState, type Transaction } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconArrowLeft,
  IconArrowRight,
  IconIndentDecrease,
  IconIndentIncrease,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import css from './KeyRow.module.css'

type Act = (view: EditorView) => unknown
export type InsertBracket = (state: EditorState, bracket: string) => Transaction | null

interface Props {
  view: () => EditorView | null
  insertBracket: InsertBracket
}

// What on-screen keyboards lack, or show only on their second page.
const CHARACTERS = ['(', ')', '[', ']', '{', '}', ':', '=', '_', '.', ',', "'", '"', '#', '*', '-', '@']
const COMMANDS: [string, ReactNode, Act][] = [
  ['Undo', <IconArrowBackUp key="u" size={18} />, undo],
  ['Redo', <IconArrowForwardUp key="r" size={18} />, redo],
  ['Tab', 'Tab', tab],
  ['Indent', <IconIndentIncrease key="i" size={18} />, indentMore],
  ['Outdent', <IconIndentDecrease key="o" size={18} />, indentLess],
]
const ARROWS: typeof COMMANDS = [
  ['Left', <IconArrowLeft key="l" size={18} />, cursorCharLeft],
  ['Right', <IconArrowRight key="g" size={18} />, cursorCharRight],
]

/** Inserts spaces up to the next tab stop, or indents the selected lines. */
function tab(view: EditorView) {
  if (view.state.selection.ranges.some(range => !range.empty)) return indentMore(view)
  const { state } = view
  view.dispatch(
    state.changeByRange(({ head }) => {
      const width = state.tabSize - ((head - state.doc.lineAt(head).from) % state.tabSize)
      const insert = ' '.repeat(width)
      return { changes: { from: head, insert }, range: EditorSelection.cursor(head + width) }
    }),
    { userEvent: 'input', scrollIntoView: true },
  )
}

/** Inserts a character as if it was typed: brackets and quotes come in pairs, once `insertBracket` is loaded. */
function type(view: EditorView, character: string, insertBracket: InsertBracket) {
  const made = insertBracket(view.state, character) ?? view.state.replaceSelection(character)
  view.dispatch(made, { userEvent: 'input.type', scrollIntoView: true })
}

/** Keys for writing Python on a phone. The focus stays in the editor, so that the on-screen keyboard stays open. */
export function KeyRow({ view, insertBracket }: Props) {
  const key = (name: string, sign: ReactNode, act: Act) => (
    <button
      key={name}
      type="button"
      tabIndex={-1}
      aria-label={name}
      onPointerDown={event => event.preventDefault()}
      onMouseDown={event => event.preventDefault()}
      onClick={() => {
        const shown = view()
        if (!shown) return
        act(shown)
        shown.focus()
      }}
    >
      {sign}
    </button>
  )
  return (
    <div className={`${css.row} g-fade`} role="toolbar" aria-label="Keys">
      {COMMANDS.map(each => key(...each))}
      {CHARACTERS.map(each => key(each, each, view => type(view, each, insertBracket)))}
      {ARROWS.map(each => key(...each))}
    </div>
  )
}
