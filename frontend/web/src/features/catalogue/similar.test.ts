import { describe, expect, it } from 'vitest'
import type { Schemas } from '@/api/client'
import { nextChallenge, similarChallenges } from './similar'

type Challenge = Schemas['ChallengeCard']
const challenge = (
  slug: string,
  topics: string[],
  difficulty: Challenge['difficulty'] = 'easy',
): Challenge => ({
  application: [],
  devices: ['cpu'],
  difficulty,
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
  const next = (siblings: string[], solved: string[] = []) =>
    nextChallenge(ALL, 'own', siblings, solved)?.slug
  it('is a harder one of the same topic', () => {
    expect(next(['own', 'common', 'unrelated'])).toBe('unrelated')
  })
  it('is as hard, if none is harder', () => {
    expect(next(['own', 'rare', 'common'])).toBe('common')
  })
  it('is the most similar one that is not easier, if the topic has none', () => {
    expect(next(['own'])).toBe('common')
    expect(next(['own', 'unrelated'], ['unrelated', 'common'])).toBe('harder')
  })
})
