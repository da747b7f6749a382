import { lazy } from 'react'

/** The discussion of a challenge, loaded when its tab opens. */
export const LazyDiscussion = lazy(() => import('./Discussion'))
