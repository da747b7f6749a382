export { BookmarkButton } from './BookmarkButton'
export { BookmarkIcon } from './BookmarkIcon'
export { LazyNoteEditor } from './LazyNoteEditor'
export { useBookmarks, useMarks } from './requests'
