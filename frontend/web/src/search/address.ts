import type { Schemas } from '../api/client'

export type Found = Schemas['FoundView']

const FOLDERS = { challenge: '/challenges', topic: '/topics', quiz: '/topics', track: '/tracks' }

/** The page of something that was found. */
export const address = (found: Found) =>
  `${FOLDERS[found.kind]}/${found.id}${found.kind === 'quiz' ? '/quiz' : ''}`
