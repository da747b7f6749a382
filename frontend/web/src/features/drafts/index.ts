export type { Draft, DraftAutosave } from './DraftAutosave'
export { DraftNote, Two } from './DraftNote'
export { useDraft } from './useDraft'
