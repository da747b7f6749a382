import { python } from '@codemirror/lang-python'
import { ensureSyntaxTree } from '@codemirror/language'
import { EditorState } from '@codemirror/state'
import { describe, expect, it } from 'vitest'
import { syntaxErrors } from './lint'

const stateOf = (doc: string) => EditorState.create({ doc, extensions: [python()] })
const LONG_MS = 10_000
/** A state after the parser, which works in the background, has read the whole text. */
const parsed = (doc: string) => {
  const state = stateOf(doc)
  ensureSyntaxTree(state, doc.length, LONG_MS)
  return state
}
// A new editor parses only the first 3,000 characters at once.
const FUNCTION =
  'def area(width, height):\n    """The area of a rectangle."""\n    return (width * height)\n\n\n'

describe('syntax errors', () => {
  it('are none in valid Python, however long it is', () => {
    for (const times of [1, 40, 60, 200])
      for (let cut = 0; cut < 12; cut++)
        expect(syntaxErrors(stateOf(`${'#'.repeat(cut)}\n${FUNCTION.repeat(times)}`))).toEqual([])
  })

  it('are found at any place', () => {
    for (const times of [0, 100])
      expect(syntaxErrors(parsed(`${FUNCTION.repeat(times)}x = (1 +\n`))).not.toEqual([])
  })
})
