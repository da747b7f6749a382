/** Labels and descriptions of a team's roles and states. */
import type { Schemas } from '@/api/client'

export type Role = Schemas['TeamView']['role']

/** In ascending order. */
export const ROLES: readonly { value: Role; label: string; may: string }[] = [
  { value: 'reviewer', label: 'Reviewer', may: 'Reviewers can read assessments, answers and reports.' },
  { value: 'author', label: 'Author', may: 'Authors can also build assessments and invite candidates.' },
  { value: 'owner', label: 'Owner', may: 'Owners can also manage members and the team itself.' },
]

export const STATES = { draft: 'Draft', open: 'Open', archived: 'Archived' } as const
