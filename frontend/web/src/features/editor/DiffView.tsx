/** Compares two texts, inline or side by side, with CodeMirror's merge view. This is its own chunk. */
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { pythonLanguage } from '@codemirror/lang-python'
import { MergeView, unifiedMergeView } from '@codemirror/merge'
import { EditorState, type Extension } from '@codemirror/state'
import { EditorView, keymap, lineNumbers } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import { editorTheme, syntaxColours } from './editorTheme'

interface Props {
  /** The old text and the new one. */
  before: string
  after: string
  names: [string, string]
  split?: boolean
  /** If set, the second text is editable and single changes can be accepted. */
  onChange?: (text: string) => void
}

const flat = EditorView.theme({
  '&': { height: 'auto', fontSize: '13px' },
  '.cm-content': { padding: '6px 0' },
})
const common = (name: string): Extension => [
  lineNumbers(),
  pythonLanguage,
  syntaxColours,
  editorTheme,
  flat,
  EditorView.contentAttributes.of({ 'aria-label': name, tabindex: '0' }),
]
const readOnly = [EditorState.readOnly.of(true), EditorView.editable.of(false)]
const collapseUnchanged = { margin: 3, minSize: 6 }

export default function DiffView({ before, after, names, split, onChange }: Props) {
  const host = useRef<HTMLDivElement>(null)
  const change = useRef(onChange)
  change.current = onChange
  const editable = onChange !== undefined
  const [left, right] = names
  useEffect(() => {
    const parent = host.current
    if (!parent) return
    const writing = editable
      ? [
          history(),
          keymap.of([...defaultKeymap, ...historyKeymap]),
          EditorView.updateListener.of(update => {
            if (update.docChanged) change.current?.(update.state.doc.toString())
          }),
        ]
      : readOnly
    if (split) {
      const made = new MergeView({
        parent,
        a: { doc: before, extensions: [common(left), readOnly] },
        b: { doc: after, extensions: [common(right), writing] },
        collapseUnchanged,
        gutter: true,
        ...(editable && { revertControls: 'a-to-b' as const }),
      })
      return () => made.destroy()
    }
    const unified = unifiedMergeView({ original: before, mergeControls: editable, collapseUnchanged })
    const extensions = [common(`${left}, ${right}`), writing, unified]
    const made = new EditorView({ parent, state: EditorState.create({ doc: after, extensions }) })
    return () => made.destroy()
  }, [before, after, split, editable, left, right])
  return <div ref={host} />
}
