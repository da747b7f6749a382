import { lazy } from 'react'

/** The read-only editor of a playback, which is its own chunk. */
export const LazyPlaybackScreen = lazy(() => import('./PlaybackScreen'))
