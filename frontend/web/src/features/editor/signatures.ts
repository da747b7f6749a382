/** Shows the signature of a call of torch while the cursor is inside it, and explains names of torch under the pointer. */
import { syntaxTree } from '@codemirror/language'
import { type EditorState, StateField } from '@codemirror/state'
import { hoverTooltip, showTooltip, type Tooltip } from '@codemirror/view'
import { loadTorchDocs, lookUp, showEntry } from './torchDocs'

// An expression before a call or under the pointer is looked for in this many characters.
const REACH = 80

function around(state: EditorState): readonly Tooltip[] {
  const { head, empty } = state.selection.main
  if (!empty) return []
  let node = syntaxTree(state).resolveInner(head, -1)
  while (node.name !== 'ArgList' && node.parent) node = node.parent
  if (node.name !== 'ArgList' || head <= node.from || head >= node.to) return []
  const called = /[\w.]+$/.exec(state.doc.sliceString(Math.max(0, node.from - REACH), node.from))?.[0]
  if (called) loadTorchDocs()
  const signature = called && lookUp(called)?.signature
  return signature ? [tip(node.from, signature)] : []
}

const tip = (pos: number, signature: string): Tooltip => ({
  pos,
  above: true,
  create: () => {
    const dom = document.createElement('div')
    dom.textContent = signature
    dom.className = 'cm-torch-signature'
    return { dom }
  },
})

const explanations = hoverTooltip(async (view, pos): Promise<Tooltip | null> => {
  const { from, to, text } = view.state.doc.lineAt(pos)
  const before = /[\w.]*$/.exec(text.slice(Math.max(0, pos - from - REACH), pos - from))?.[0] ?? ''
  const after = /^\w*/.exec(view.state.doc.sliceString(pos, to))?.[0] ?? ''
  await loadTorchDocs()
  const found = lookUp(before + after)
  if (!found) return null
  return {
    pos: pos - before.length,
    end: pos + after.length,
    above: true,
    create: () => ({ dom: showEntry(found) }),
  }
})

const calls = StateField.define<readonly Tooltip[]>({
  create: around,
  update: (tips, change) => (change.docChanged || change.selection ? around(change.state) : tips),
  provide: field => showTooltip.computeN([field], state => state.field(field)),
})

export const signatures = [calls, explanations]
