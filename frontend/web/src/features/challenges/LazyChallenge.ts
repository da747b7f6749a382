import { lazy } from 'react'

/** A challenge with its statement and workspace, loaded lazily, for pages that embed one. */
export const LazyChallenge = lazy(() => import('./ChallengePage').then(page => ({ default: page.Work })))
