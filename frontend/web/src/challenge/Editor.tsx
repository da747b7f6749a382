/** The Python editor: CodeMirror, in a chunk of its own. */
import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { python } from '@codemirror/lang-python'
import { bracketMatching, indentOnInput, indentUnit } from '@codemirror/language'
import { forceLinting, linter, lintGutter } from '@codemirror/lint'
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search'
import { Compartment, EditorState, type Extension } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import { useEffect, useRef } from 'react'
import { type Change, changeOf } from './changes'
import { completions } from './completions'
import { judged, type Mark, syntaxErrors, tidied } from './lint'
import { colours, look } from './look'
import type { Settings } from './settings'
import { signatures } from './signatures'

interface Props {
  label: string
  value: string
  onChange: (value: string, change: Change) => void
  onRun: () => void
  onSubmit: () => void
  settings: Settings
  /** Nothing more can be written. */
  closed?: boolean
  marks?: Mark[]
  /** Whether it is other text than Python. */
  plain?: boolean
  /** Grows when somebody asks for blanks to be tidied. */
  tidy?: number
}

/** A key's command that is always taken. */
function done(act: () => void): boolean {
  act()
  return true
}

const sized = ({ size, tab }: Settings): Extension => [
  EditorView.theme({ '&': { fontSize: `${size}px` } }),
  indentUnit.of(' '.repeat(tab)),
  EditorState.tabSize.of(tab),
]

export default function Editor(props: Props) {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | null>(null)
  const parts = useRef({ sized: new Compartment(), keys: new Compartment(), closed: new Compartment() })
  const live = useRef(props)
  live.current = props
  const { settings, marks, value, tidy, closed = false } = props

  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor is made once; later values are put into it below
  useEffect(() => {
    if (!host.current) return
    const made = new EditorView({
      parent: host.current,
      state: EditorState.create({
        doc: value,
        extensions: [
          parts.current.keys.of([]),
          parts.current.closed.of(EditorState.readOnly.of(closed)),
          keymap.of([
            { key: 'Mod-Enter', run: () => done(live.current.onSubmit) },
            { key: "Mod-'", run: () => done(live.current.onRun) },
          ]),
          lineNumbers(),
          lintGutter(),
          highlightActiveLine(),
          highlightActiveLineGutter(),
          history(),
          drawSelection(),
          indentOnInput(),
          parts.current.sized.of(sized(settings)),
          bracketMatching(),
          closeBrackets(),
          highlightSelectionMatches(),
          props.plain
            ? EditorView.lineWrapping
            : [
                autocompletion({ override: [completions] }),
                signatures,
                linter(({ state }) => [...judged(state, live.current.marks ?? []), ...syntaxErrors(state)], {
                  delay: 600,
                }),
                python(),
              ],
          colours,
          look,
          EditorView.contentAttributes.of({ 'aria-label': props.label, tabindex: '0' }),
          keymap.of([
            ...closeBracketsKeymap,
            ...completionKeymap,
            ...searchKeymap,
            ...historyKeymap,
            ...defaultKeymap,
            indentWithTab,
          ]),
          EditorView.updateListener.of(update => {
            if (update.docChanged) live.current.onChange(update.state.doc.toString(), changeOf(update))
          }),
        ],
      }),
    })
    view.current = made
    return () => made.destroy()
  }, [])

  useEffect(() => {
    const shown = view.current
    if (shown && shown.state.doc.toString() !== value)
      shown.dispatch({ changes: { from: 0, to: shown.state.doc.length, insert: value } })
  }, [value])

  useEffect(() => {
    view.current?.dispatch({ effects: parts.current.sized.reconfigure(sized(settings)) })
  }, [settings])

  useEffect(() => {
    const effects = parts.current.closed.reconfigure(EditorState.readOnly.of(closed))
    view.current?.dispatch({ effects })
  }, [closed])

  useEffect(() => {
    const set = (keys: Extension) => view.current?.dispatch({ effects: parts.current.keys.reconfigure(keys) })
    if (settings.vim) import('@replit/codemirror-vim').then(({ vim }) => set(vim({ status: true })))
    else set([])
  }, [settings.vim])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the linter reads the marks itself
  useEffect(() => {
    if (view.current) forceLinting(view.current)
  }, [marks])

  useEffect(() => {
    if (tidy && view.current) view.current.dispatch({ changes: tidied(view.current.state) })
  }, [tidy])

  return <div ref={host} style={{ height: '100%', overflow: 'hidden' }} />
}
