/** The Python editor, based on CodeMirror. This is its own chunk. */
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { pythonLanguage } from '@codemirror/lang-python'
import { bracketMatching, indentOnInput, indentUnit } from '@codemirror/language'
import { Compartment, EditorState, type Extension } from '@codemirror/state'
import {
  crosshairCursor,
  drawSelection,
  EditorView,
  gutter,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  rectangularSelection,
} from '@codemirror/view'
import { useEffect, useRef } from 'react'
import css from './Editor.module.css'
import { editorTheme, syntaxColours } from './editorTheme'
import { type InsertBracket, KeyRow } from './KeyRow'
import type { Mark } from './lint'
import { type TextChange, textChangeOf } from './textChange'
import type { EditorSettings } from './useEditorSettings'

export interface SharedText {
  /** The present text. */
  text: () => string
  /** Keeps the editor and the document equal. */
  extension: Extension
}

interface Props {
  label: string
  value: string
  onChange?: (value: string, change: TextChange) => void
  /** A document that several people edit. It provides the text instead of `value`, and the history. It must not change. */
  shared?: SharedText
  onRun: () => void
  onSubmit: () => void
  settings: EditorSettings
  /** Whether the editor is read-only. */
  closed?: boolean
  marks?: Mark[]
  /** Whether the text is not Python. */
  plain?: boolean
  /** A counter; each increase formats the text. */
  format?: number
  onFormatted?: (error?: unknown) => void
}

/** The labels of the find panel, in sentence case like the rest of the site. */
const words = EditorState.phrases.of({
  next: 'Next',
  previous: 'Previous',
  all: 'Select all',
  'match case': 'Match case',
  regexp: 'Regular expression',
  'by word': 'Whole words',
  replace: 'Replace',
  'replace all': 'Replace all',
})

/** A key binding that always counts as handled. */
function done(act: () => void): boolean {
  act()
  return true
}

const sized = ({ size, tab }: EditorSettings): Extension => [
  EditorView.theme({ '&': { fontSize: `max(${size}px, var(--least, 0px))` } }),
  indentUnit.of(' '.repeat(tab)),
  EditorState.tabSize.of(tab),
]

const loadWriting = () => import('./writing')
// As wide as the gutter for marks, which comes with `writing`, so that the text does not move then.
const marksSpace = gutter({ class: 'cm-gutter-marks' })

export default function Editor(props: Props) {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | null>(null)
  const parts = useRef({
    sized: new Compartment(),
    keys: new Compartment(),
    closed: new Compartment(),
    writing: new Compartment(),
  })
  const live = useRef(props)
  live.current = props
  const { settings, marks, value, format, closed = false } = props

  // The module, from the first focus or mark on. If it cannot be loaded, the editor works without, and the next focus tries again.
  const writing = useRef<Promise<typeof import('./writing') | undefined>>(undefined)
  const brackets = useRef<InsertBracket>(undefined)
  const prepareWriting = () => {
    writing.current ??= loadWriting().then(
      loaded => {
        const effects = parts.current.writing.reconfigure(loaded.writingExtensions(props.plain ?? false))
        view.current?.dispatch({ effects })
        brackets.current = loaded.insertBracket
        return loaded
      },
      () => {
        writing.current = undefined
        return undefined
      },
    )
    return writing.current
  }

  // Until the module is loaded, which brings its own keys.
  const find = () => prepareWriting().then(loaded => view.current && loaded?.openSearchPanel(view.current))

  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor is created once; the effects below apply later values
  useEffect(() => {
    if (!host.current) return
    const made = new EditorView({
      parent: host.current,
      state: EditorState.create({
        doc: props.shared?.text() ?? value,
        extensions: [
          parts.current.keys.of([]),
          parts.current.closed.of(EditorState.readOnly.of(closed)),
          keymap.of([
            { key: 'Mod-Enter', run: () => done(live.current.onSubmit) },
            { key: "Mod-'", run: () => done(live.current.onRun) },
          ]),
          words,
          lineNumbers(),
          parts.current.writing.of([marksSpace, keymap.of([{ key: 'Mod-f', run: () => done(find) }])]),
          highlightActiveLine(),
          highlightActiveLineGutter(),
          props.shared?.extension ?? history(),
          EditorState.allowMultipleSelections.of(true),
          drawSelection(),
          rectangularSelection(),
          crosshairCursor(),
          indentOnInput(),
          parts.current.sized.of(sized(settings)),
          bracketMatching(),
          props.plain ? EditorView.lineWrapping : pythonLanguage,
          syntaxColours,
          editorTheme,
          EditorView.contentAttributes.of({ 'aria-label': props.label, tabindex: '0' }),
          keymap.of([...historyKeymap, ...defaultKeymap, indentWithTab]),
          EditorView.updateListener.of(update => {
            if (update.focusChanged && update.view.hasFocus) prepareWriting()
            if (update.docChanged) live.current.onChange?.(update.state.doc.toString(), textChangeOf(update))
          }),
        ],
      }),
    })
    view.current = made
    return () => made.destroy()
  }, [])

  useEffect(() => {
    const shown = view.current
    if (shown && !live.current.shared && shown.state.doc.toString() !== value)
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

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the marks change
  useEffect(() => {
    if (!writing.current && !marks?.length) return
    prepareWriting().then(loaded => view.current && marks && loaded?.showMarks(view.current, marks))
  }, [marks])

  useEffect(() => {
    const shown = view.current
    if (!format || !shown) return
    import('./format')
      .then(({ formatDocument }) => formatDocument(shown))
      .then(
        () => live.current.onFormatted?.(),
        error => live.current.onFormatted?.(error),
      )
  }, [format])

  return (
    <div className={css.editor}>
      <div ref={host} className={css.host} />
      {!closed && !props.plain && (
        <KeyRow
          view={() => view.current}
          insertBracket={(state, bracket) => brackets.current?.(state, bracket) ?? null}
        />
      )}
    </div>
  )
}
