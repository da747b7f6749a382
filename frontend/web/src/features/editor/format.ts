/** Formats Python with Ruff, which is compiled to WebAssembly. It has 4 MB, so it is loaded when it is first needed. */
import { isolateHistory } from '@codemirror/commands'
import type { EditorView } from '@codemirror/view'

type Formatter = { format(text: string): string }
const WIDTH = 100
let loading: Promise<Formatter> | undefined

/** Formats the text of an editor; the cursor stays where it is. Rejects if the text is not valid Python. */
export async function formatDocument(view: EditorView): Promise<void> {
  const [ruff, { diff }] = await Promise.all([formatter(), import('@codemirror/merge')])
  const before = view.state.doc.toString()
  const after = ruff.format(before)
  const changes = diff(before, after).map(({ fromA, toA, fromB, toB }) => ({
    from: fromA,
    to: toA,
    insert: after.slice(fromB, toB),
  }))
  // One step of undo of its own, also right after typing.
  view.dispatch({ changes, annotations: isolateHistory.of('full') })
  view.focus()
}

function formatter(): Promise<Formatter> {
  loading ??= load().catch(error => {
    loading = undefined
    throw error
  })
  return loading
}

async function load(): Promise<Formatter> {
  const { default: start, PositionEncoding, Workspace } = await import('@astral-sh/ruff-wasm-web')
  await start()
  return new Workspace({ 'line-length': WIDTH, 'indent-width': 4 }, PositionEncoding.Utf16)
}
