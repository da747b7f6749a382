import { describe, expect, it } from 'vitest'
import type { Schemas } from '@/api/client'
import { nextChallenge, similarChallenges } from './similar'

type Challenge = Schemas['ChallengeCard']
type Topic = Schemas['TopicCard']
const challenge = (
  slug: string,
  topics: string[],
  difficulty: Challenge['difficulty'] = 'easy',
): Challenge => ({
  application: [],
  devices: ['cpu'],
  difficulty,
  follow_ups: [],
  follow_up_to: null,
  scored: null,
  form: 'write',
  minutes: 10,
  tests_count: 1,
  points: 1,
  section: 'layers',
  slug,
  summary: '',
  title: slug,
  topics,
})
const ALL = [
  challenge('own', ['gradients', 'cache'], 'medium'),
  challenge('common', ['gradients'], 'medium'),
  challenge('rare', ['cache'], 'easy'),
  challenge('harder', ['gradients'], 'hard'),
  challenge('unrelated', ['padding'], 'hard'),
]
const slugs = (found: Challenge[]) => found.map(each => each.slug)

describe('similar challenges', () => {
  it('share a tag, a rare one before a common one', () => {
    expect(slugs(similarChallenges(ALL, 'own'))).toEqual(['rare', 'common', 'harder'])
  })
  it('are none for a challenge that is not in the catalogue', () => {
    expect(similarChallenges(ALL, 'gone')).toEqual([])
  })
})

describe('the next challenge', () => {
  const topic = (id: string, section: string, challenges: string[]): Topic => ({
    id,
    title: id,
    section,
    difficulty: 'easy',
    purpose: '',
    challenges,
    questions: 0,
    forms: [],
  })
  const next = (listed: string[], solved: string[] = [], further: Topic[] = []) =>
    nextChallenge(ALL, [...further, topic('first', 'layers', listed)], 'own', solved)?.slug
  it('is the one after it in its topic, whatever the difficulty', () => {
    expect(next(['common', 'own', 'rare', 'unrelated'])).toBe('rare')
  })
  it('leaves out solved ones', () => {
    expect(next(['own', 'rare', 'unrelated'], ['rare'])).toBe('unrelated')
  })
  it('comes from the topic of the same section first, then from another one', () => {
    const other = topic('other', 'serving', ['own', 'harder'])
    expect(next(['own', 'rare'], [], [other])).toBe('rare')
    expect(next(['own', 'rare'], ['rare'], [other])).toBe('harder')
  })
  it('is the most similar one that is not easier, at the end of its topic', () => {
    expect(next(['unrelated', 'own'])).toBe('common')
    expect(next(['own', 'unrelated'], ['unrelated', 'common'])).toBe('harder')
  })
})
