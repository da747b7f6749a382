/** The people of a room, and their colours. White text on each colour is readable, in both colour schemes. */
import type { Schemas } from '@/api/client'

export type Role = Schemas['PersonView']['role']

/** A person as the service describes one beside a cursor. */
export interface PersonState {
  id: string
  name: string
  role: Role
  color: string
}

const COLORS = ['#2a4ab8', '#a04800', '#0f6e56', '#8b2fa8', '#a8232f', '#2f6b12', '#0b6482', '#6b4f1d']

export const colorOf = (number: number): string => COLORS[number % COLORS.length] ?? '#57524a'

interface ClientState {
  cursor?: unknown
  user?: { id: string; name: string; role: Role; color: number }
}

/** Converts what the service says about a client to what the editor shows beside a cursor. */
export function toCursor(state: ClientState | null) {
  if (!state?.user) return state
  const color = colorOf(state.user.color)
  return { ...state, user: { ...state.user, color, colorLight: `${color}40` } }
}

export const ROLE_NAMES: Record<Role, string> = {
  interviewer: 'Interviewer',
  candidate: 'Candidate',
  observer: 'Observer',
}

/** The first letters of the first and the last name. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/)
  const ends = words.length > 1 ? [words[0], words.at(-1)] : [words[0]]
  return ends.map(word => [...(word ?? '')][0]?.toUpperCase() ?? '').join('')
}
