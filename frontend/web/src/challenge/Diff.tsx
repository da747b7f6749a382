/** Two texts beside or within each other: CodeMirror's merge view, in a chunk of its own. */
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { python } from '@codemirror/lang-python'
import { MergeView, unifiedMergeView } from '@codemirror/merge'
import { EditorState, type Extension } from '@codemirror/state'
import { EditorView, keymap, lineNumbers } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import { colours, look } from './look'

interface Props {
  /** What it is compared with, and what it is. */
  before: string
  after: string
  names: [string, string]
  split?: boolean
  /** Given: the second text may be changed, and differences be taken over one by one. */
  onChange?: (text: string) => void
}

const flat = EditorView.theme({
  '&': { height: 'auto', fontSize: '13px' },
  '.cm-content': { padding: '6px 0' },
})
const common = (name: string): Extension => [
  lineNumbers(),
  python(),
  colours,
  look,
  flat,
  EditorView.contentAttributes.of({ 'aria-label': name, tabindex: '0' }),
]
const readOnly = [EditorState.readOnly.of(true), EditorView.editable.of(false)]
const collapseUnchanged = { margin: 3, minSize: 6 }

export default function Diff({ before, after, names, split, onChange }: Props) {
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
