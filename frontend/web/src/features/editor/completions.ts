/** Completes names of torch after a dot, and words of the text. */
import { type CompletionContext, type CompletionResult, completeAnyWord } from '@codemirror/autocomplete'
import { entriesOf, loadTorchDocs, placeOf, showEntry } from './torchDocs'

export async function completions(context: CompletionContext): Promise<CompletionResult | null> {
  const dotted = context.matchBefore(/([\w.]+|\)|\])\.\w*$/)
  if (dotted) {
    await loadTorchDocs()
    const dot = dotted.text.lastIndexOf('.')
    const options = entriesOf(placeOf(dotted.text.slice(0, dot))).map(found => ({
      label: found.path.slice(found.path.lastIndexOf('.') + 1),
      type: found.signature ? 'function' : 'variable',
      info: () => showEntry(found),
    }))
    return { from: dotted.from + dot + 1, options, validFor: /^\w*$/ }
  }
  const word = context.matchBefore(/\w{2,}$/)
  return word || context.explicit ? completeAnyWord(context) : null
}
