/** The policies of a section about AI assistants, as an author chooses them. */
import type { Section } from './form'

export type Policy = Section['assistant']

export const POLICIES: Record<Policy, string> = {
  none: 'Not allowed',
  provided: 'Provided: a chat beside the editor',
  own: 'Their own: they say at the end how',
}
