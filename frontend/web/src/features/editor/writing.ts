/** What an editor needs once somebody writes in it or a result points at its lines. This is its own chunk. */
import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete'
import { lintGutter } from '@codemirror/lint'
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search'
import type { Extension } from '@codemirror/state'
import { keymap } from '@codemirror/view'
import { completions } from './completions'
import { lintExtension } from './lint'
import { signatures } from './signatures'

export { insertBracket } from '@codemirror/autocomplete'
export { openSearchPanel } from '@codemirror/search'
export { showMarks } from './lint'

/** Completion, find and replace, and checks of the syntax. Text that is not Python gets no completion and no checks. */
export const writingExtensions = (plain: boolean): Extension => [
  lintGutter(),
  closeBrackets(),
  highlightSelectionMatches(),
  plain ? [] : [autocompletion({ override: [completions] }), signatures, lintExtension],
  keymap.of([...closeBracketsKeymap, ...completionKeymap, ...searchKeymap]),
]
