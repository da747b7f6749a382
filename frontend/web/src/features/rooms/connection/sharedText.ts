/** Makes an editor show one text of a shared document, with the cursors of the others and an own history. */
import { EditorView, keymap } from '@codemirror/view'
import { yCollab, yUndoManagerKeymap } from 'y-codemirror.next'
import * as Y from 'yjs'
import type { SharedText } from '@/features/editor'
import type { RoomConnection } from './RoomConnection'

const cursors = EditorView.theme({
  '.cm-ySelectionInfo': {
    top: '-1.35em',
    padding: '0 5px 1px',
    borderRadius: '4px 4px 4px 0',
    fontFamily: "'IBM Plex Sans', system-ui, sans-serif",
    fontSize: '0.72rem',
    fontWeight: '500',
    lineHeight: '1.35',
    opacity: '1',
    whiteSpace: 'nowrap',
    pointerEvents: 'none',
  },
  // Above the first line there is no room for a name.
  '.cm-line:first-child .cm-ySelectionInfo': { top: '1.35em', borderRadius: '0 4px 4px 4px' },
})

/** The text of the challenge at a position. */
export const textOf = ({ doc }: RoomConnection, position: number): Y.Text => doc.getText(`code:${position}`)

export function sharedText(connection: RoomConnection, position: number): SharedText {
  const text = textOf(connection, position)
  const undoManager = new Y.UndoManager(text)
  const collab = yCollab(text, connection.awareness, { undoManager })
  return { text: () => text.toString(), extension: [collab, keymap.of(yUndoManagerKeymap), cursors] }
}
