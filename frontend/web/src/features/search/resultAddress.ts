import type { Schemas } from '@/api/client'

export type SearchHit = Schemas['FoundView']

const FOLDERS = { challenge: '/challenges', topic: '/topics', quiz: '/topics', track: '/tracks' }

/** The page of a search result. */
export const resultAddress = (found: SearchHit) =>
  `${FOLDERS[found.kind]}/${found.id}${found.kind === 'quiz' ? '/quiz' : ''}`
