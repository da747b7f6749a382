/** The challenge of the day: the same for everybody, from midnight to midnight in UTC. */
const DAY_MS = 24 * 3600 * 1000
// Consecutive days are this part of the catalogue apart, so that neighbours of one section do not follow each other.
const GOLDEN = 0.618

/** Returns the challenge of the day that contains `now`. In as many days as there are challenges, each has its day once. */
export function challengeOfTheDay<T extends { slug: string }>(all: T[], now: Date): T | undefined {
  if (all.length === 0) return undefined
  const ordered = all.toSorted((a, b) => (a.slug < b.slug ? -1 : 1))
  let step = Math.max(1, Math.round(all.length * GOLDEN))
  while (commonDivisor(step, all.length) !== 1) step += 1
  const day = Math.floor(now.getTime() / DAY_MS)
  return ordered[(day * step) % all.length]
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b)
}
