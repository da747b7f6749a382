export { BookmarkButton } from './BookmarkButton'
export { NoteEditor } from './NoteEditor'
export { useMarks } from './requests'
