/** How the text of an editor changed: what took which place, and what of it was pasted. */
import type { ViewUpdate } from '@codemirror/view'

export interface Replaced {
  from: number
  to: number
  text: string
}

export interface Change {
  /** To be done one after the other. */
  edits: Replaced[]
  /** Characters that were pasted or dropped. */
  pasted: number
}

export function changeOf(update: ViewUpdate): Change {
  const edits: Replaced[] = []
  update.changes.iterChanges((fromA, toA, fromB, _toB, inserted) => {
    // What stands before it has changed already, so its place is the new one.
    edits.push({ from: fromB, to: fromB + (toA - fromA), text: inserted.toString() })
  })
  const isPaste = update.transactions.some(
    each => each.isUserEvent('input.paste') || each.isUserEvent('input.drop'),
  )
  const pasted = isPaste ? edits.reduce((sum, each) => sum + each.text.length, 0) : 0
  return { edits, pasted }
}
