/** How roles and states of a team are called, and what they mean. */
import type { Schemas } from '../api/client'

export type Role = Schemas['TeamView']['role']

/** From the least to the most. */
export const ROLES: readonly { value: Role; label: string; may: string }[] = [
  { value: 'reviewer', label: 'Reviewer', may: 'reads assessments, answers and reports' },
  { value: 'author', label: 'Author', may: 'also builds assessments and invites candidates' },
  { value: 'owner', label: 'Owner', may: 'also decides about members and the team itself' },
]

export const STATES = { draft: 'Draft', open: 'Open', archived: 'Archived' } as const

export const many = (count: number, one: string, more = `${one}s`) => `${count} ${count === 1 ? one : more}`
