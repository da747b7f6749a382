import { lazy } from 'react'

/** The editor, loaded as its own chunk when first shown. */
export const LazyEditor = lazy(() => import('./Editor'))
