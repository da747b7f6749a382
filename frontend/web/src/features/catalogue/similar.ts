/** Which challenges are related, and which one to try next. */
import type { Schemas } from '@/api/client'
import { LEVELS } from './selection'

type Challenge = Schemas['ChallengeCard']
type Topic = Schemas['TopicCard']

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
 * The challenge to try after this one: the first unsolved one after it in the list of its topic, which is in the order in which
 * to do them. The topic of its own section counts first, so that a step of a project leads to the next step. At the end of the
 * lists, the most similar unsolved one that is not easier.
 */
export function nextChallenge(
  all: Challenge[],
  topics: Topic[],
  slug: string,
  solved: string[],
): Challenge | undefined {
  const own = all.find(each => each.slug === slug)
  if (!own) return undefined
  const isOpen = (other: string) => other !== slug && !solved.includes(other)
  const ofTopics = topics
    .filter(each => each.challenges.includes(slug))
    .sort((a, b) => Number(b.section === own.section) - Number(a.section === own.section))
    .flatMap(each => each.challenges.slice(each.challenges.indexOf(slug) + 1))
  const following = ofTopics.find(isOpen)
  const similar = similarChallenges(all, slug).filter(each => isOpen(each.slug))
  return (
    all.find(each => each.slug === following) ?? similar.find(each => rank(each) >= rank(own)) ?? similar[0]
  )
}
