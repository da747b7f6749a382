import { lazy } from 'react'

/** The submissions for a challenge, loaded when first shown. */
export const LazySubmissionHistory = lazy(() => import('./SubmissionHistory'))
