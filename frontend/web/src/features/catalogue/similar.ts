/** Which challenges are related, and which one to try next. */
import type { Schemas } from '@/api/client'
import { LEVELS } from './selection'

type Challenge = Schemas['ChallengeCard']

// How much the same section counts, compared with a shared tag.
const SAME_SECTION = 0.3

/**
 * The challenges that share tags with this one, the most similar first. A tag counts the more, the rarer it is: sharing
 * “KV cache” says more than sharing “gradients”.
 */
export function similarChallenges(all: Challenge[], slug: string): Challenge[] {
  const own = all.find(each => each.slug === slug)
  if (!own) return []
  const counts = new Map<string, number>()
  for (const tag of all.flatMap(each => each.topics)) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  const closeness = (other: Challenge) => {
    const shared = other.topics.filter(tag => own.topics.includes(tag))
    const tags = shared.reduce((sum, tag) => sum + 1 / Math.log(1 + (counts.get(tag) ?? 1)), 0)
    return tags && tags + (other.section === own.section ? SAME_SECTION : 0)
  }
  return all
    .filter(each => each.slug !== slug)
    .map(each => ({ each, close: closeness(each) }))
    .filter(({ close }) => close > 0)
    .sort((a, b) => b.close - a.close)
    .map(({ each }) => each)
}

const rank = ({ difficulty }: Challenge) => LEVELS.indexOf(difficulty)

/**
 * The challenge to try after this one: an unsolved one of the same topic that is a step harder, otherwise one as hard, otherwise
 * the most similar unsolved one that is not easier.
 *
 * @param siblings The challenges of the same topic pages.
 */
export function nextChallenge(
  all: Challenge[],
  slug: string,
  siblings: string[],
  solved: string[],
): Challenge | undefined {
  const own = all.find(each => each.slug === slug)
  if (!own) return undefined
  const open = (each: Challenge) => each.slug !== slug && !solved.includes(each.slug)
  const ofTopic = all.filter(each => open(each) && siblings.includes(each.slug) && rank(each) >= rank(own))
  const harder = ofTopic.filter(each => rank(each) > rank(own)).sort((a, b) => rank(a) - rank(b))
  const similar = similarChallenges(all, slug).filter(open)
  return harder[0] ?? ofTopic[0] ?? similar.find(each => rank(each) >= rank(own)) ?? similar[0]
}
