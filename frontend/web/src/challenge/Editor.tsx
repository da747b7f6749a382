/** The Python editor: CodeMirror, in a chunk of its own. */
import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { python } from '@codemirror/lang-python'
import {
  bracketMatching,
  HighlightStyle,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from '@codemirror/language'
import { type Diagnostic, setDiagnostics } from '@codemirror/lint'
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search'
import { EditorState } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import { tags as t } from '@lezer/highlight'
import { useEffect, useRef } from 'react'
import { completions } from './completions'

export interface Mark {
  line: number
  message: string
}

interface Props {
  value: string
  onChange: (value: string) => void
  onRun: () => void
  onSubmit: () => void
  marks: Mark[]
}

const colours = HighlightStyle.define([
  {
    tag: [t.keyword, t.controlKeyword, t.operatorKeyword, t.definitionKeyword, t.moduleKeyword],
    color: 'var(--g-key)',
  },
  { tag: t.string, color: 'var(--g-text)' },
  { tag: [t.number, t.bool, t.null], color: 'var(--g-num)' },
  { tag: t.comment, color: 'var(--g-note)', fontStyle: 'italic' },
  {
    tag: [t.definition(t.variableName), t.function(t.definition(t.variableName)), t.className],
    color: 'var(--g-def)',
  },
])

const look = EditorView.theme({
  '&': { height: '100%', fontSize: '0.9rem', backgroundColor: 'var(--g-surface)', color: 'var(--g-ink)' },
  '.cm-content': {
    fontFamily: 'var(--mantine-font-family-monospace)',
    caretColor: 'var(--g-ink)',
    padding: '12px 0',
  },
  '.cm-cursor': { borderLeftColor: 'var(--g-ink)' },
  '.cm-gutters': { backgroundColor: 'var(--g-surface)', color: 'var(--g-soft)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': {
    backgroundColor: 'color-mix(in srgb, var(--g-link) 8%, transparent)',
  },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--g-link) 28%, transparent) !important',
  },
  '.cm-tooltip': {
    backgroundColor: 'var(--g-surface)',
    border: '1px solid var(--g-line)',
    borderRadius: '6px',
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'var(--g-link)',
    color: 'var(--g-page)',
  },
  '.cm-panels': { backgroundColor: 'var(--g-sunken)', color: 'var(--g-ink)' },
})

/** A key's command that is always taken. */
function done(act: () => void): boolean {
  act()
  return true
}

export default function Editor(props: Props) {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | null>(null)
  const live = useRef(props)
  live.current = props

  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor is made once; later values are put into it below
  useEffect(() => {
    if (!host.current) return
    const made = new EditorView({
      parent: host.current,
      state: EditorState.create({
        doc: props.value,
        extensions: [
          keymap.of([
            { key: 'Mod-Enter', run: () => done(live.current.onSubmit) },
            { key: "Mod-'", run: () => done(live.current.onRun) },
          ]),
          lineNumbers(),
          highlightActiveLine(),
          highlightActiveLineGutter(),
          history(),
          drawSelection(),
          indentOnInput(),
          indentUnit.of('    '),
          bracketMatching(),
          closeBrackets(),
          highlightSelectionMatches(),
          autocompletion({ override: [completions] }),
          python(),
          syntaxHighlighting(colours),
          look,
          EditorView.contentAttributes.of({ 'aria-label': 'Your answer, Python', tabindex: '0' }),
          keymap.of([
            ...closeBracketsKeymap,
            ...completionKeymap,
            ...searchKeymap,
            ...historyKeymap,
            ...defaultKeymap,
            indentWithTab,
          ]),
          EditorView.updateListener.of(update => {
            if (update.docChanged) live.current.onChange(update.state.doc.toString())
          }),
        ],
      }),
    })
    view.current = made
    return () => made.destroy()
  }, [])

  useEffect(() => {
    const shown = view.current
    if (shown && shown.state.doc.toString() !== props.value)
      shown.dispatch({ changes: { from: 0, to: shown.state.doc.length, insert: props.value } })
  }, [props.value])

  useEffect(() => {
    const shown = view.current
    if (!shown) return
    const { doc } = shown.state
    const found: Diagnostic[] = props.marks
      .filter(mark => mark.line >= 1 && mark.line <= doc.lines)
      .map(mark => ({ ...doc.line(mark.line), severity: 'error', message: mark.message }))
    shown.dispatch(setDiagnostics(shown.state, found))
  }, [props.marks])

  return <div ref={host} style={{ height: '100%', overflow: 'hidden' }} />
}
