/** The text of a recording at one point in time, in a read-only editor. This is its own chunk. */
import { pythonLanguage } from '@codemirror/lang-python'
import { EditorState, StateEffect, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, lineNumbers } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import { editorTheme, syntaxColours } from '@/features/editor'

interface Props {
  label: string
  text: string
  /** The range that the last edit inserted. */
  fresh: { from: number; to: number }
}

const show = StateEffect.define<Props['fresh']>()
const mark = Decoration.mark({ class: 'cm-fresh' })
const point = Decoration.line({ class: 'cm-freshLine' })

const freshly = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(before, change) {
    for (const effect of change.effects) {
      if (!effect.is(show)) continue
      const { from, to } = effect.value
      const line = point.range(change.state.doc.lineAt(from).from)
      return Decoration.set(to > from ? [line, mark.range(from, to)] : [line])
    }
    return before
  },
  provide: field => EditorView.decorations.from(field),
})

const tint = (percent: number) => `color-mix(in srgb, #ffb020 ${percent}%, transparent)`
const own = EditorView.theme({
  '&': { fontSize: '13px' },
  // A stronger tint would leave too little contrast with the text of comments in the dark scheme.
  '.cm-fresh': { backgroundColor: tint(5), boxShadow: 'inset 0 -2px #d98206' },
  '.cm-freshLine': { backgroundColor: tint(3) },
})

export default function PlaybackScreen({ label, text, fresh }: Props) {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | null>(null)

  useEffect(() => {
    if (!host.current) return
    const made = new EditorView({
      parent: host.current,
      state: EditorState.create({
        extensions: [
          lineNumbers(),
          pythonLanguage,
          syntaxColours,
          editorTheme,
          own,
          freshly,
          EditorState.readOnly.of(true),
          EditorView.editable.of(false),
          EditorView.contentAttributes.of({
            role: 'textbox',
            'aria-label': label,
            'aria-readonly': 'true',
            'aria-multiline': 'true',
            tabindex: '0',
          }),
        ],
      }),
    })
    view.current = made
    return () => made.destroy()
  }, [label])

  useEffect(() => {
    const shown = view.current
    if (!shown) return
    const from = Math.min(fresh.from, text.length)
    const to = Math.min(fresh.to, text.length)
    shown.dispatch({
      changes: { from: 0, to: shown.state.doc.length, insert: text },
      effects: [show.of({ from, to }), EditorView.scrollIntoView(from, { y: 'center' })],
    })
  }, [text, fresh.from, fresh.to])

  return <div ref={host} style={{ height: '100%', overflow: 'hidden' }} />
}
