import { lazy } from 'react'

/** The dialog that resolves a conflict between drafts, loaded when there is one. */
export const LazyDraftConflict = lazy(() => import('./DraftConflict'))
