/** Sort orders of the live table. */
import type { Row } from './requests'

export const SORTS = ['started', 'name', 'left', 'sent', 'score', 'seen'] as const
export type Sort = (typeof SORTS)[number]

const NEVER = Number.MAX_SAFE_INTEGER

/** The values to compare. The newest, the least time left and the best come first. */
const KEYS: Record<Exclude<Sort, 'name'>, (row: Row) => number> = {
  started: row => -Date.parse(row.started_at),
  left: row => row.left_s ?? NEVER,
  sent: row => -row.sent,
  score: row => -row.adjusted,
  seen: row => -Date.parse(row.last_seen),
}

export function sorted(rows: Row[], sort: Sort): Row[] {
  if (sort === 'name') return [...rows].sort((a, b) => a.name.localeCompare(b.name))
  const key = KEYS[sort]
  return [...rows].sort((a, b) => key(a) - key(b))
}
