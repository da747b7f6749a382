export type { Draft, DraftAutosave } from './DraftAutosave'
export { DraftNote } from './DraftNote'
export { LazyDraftConflict } from './LazyDraftConflict'
export { useDraft } from './useDraft'
