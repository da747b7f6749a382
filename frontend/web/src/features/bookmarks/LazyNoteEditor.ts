import { lazy } from 'react'

/** The note about a challenge, loaded when first shown. */
export const LazyNoteEditor = lazy(() => import('./NoteEditor'))
