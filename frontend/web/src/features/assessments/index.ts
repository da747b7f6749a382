export { ArchiveDialog } from './ArchiveDialog'
export { type Assessment, AssessmentFrame } from './AssessmentFrame'
