/** Describes how the editor's text changed: the replaced ranges, and how much of them was pasted. */
import type { ViewUpdate } from '@codemirror/view'

export interface ReplacedRange {
  from: number
  to: number
  text: string
}

export interface TextChange {
  /** To apply in order. */
  edits: ReplacedRange[]
  /** Number of characters pasted or dropped. */
  pasted: number
}

export function textChangeOf(update: ViewUpdate): TextChange {
  const edits: ReplacedRange[] = []
  update.changes.iterChanges((fromA, toA, fromB, _toB, inserted) => {
    // The text before it has changed already, so its position refers to the new text.
    edits.push({ from: fromB, to: fromB + (toA - fromA), text: inserted.toString() })
  })
  const isPaste = update.transactions.some(
    each => each.isUserEvent('input.paste') || each.isUserEvent('input.drop'),
  )
  const pasted = isPaste ? edits.reduce((sum, each) => sum + each.text.length, 0) : 0
  return { edits, pasted }
}
