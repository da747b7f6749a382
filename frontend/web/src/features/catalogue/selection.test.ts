import { expect, it } from 'vitest'
import type { Schemas } from '@/api/client'
import { unknownFilters } from './selection'

const challenge = { section: 'tensors', application: ['NLP'], devices: ['cpu'], topics: ['broadcasting'] }
const unknown = (address: string) => {
  const params = new URLSearchParams(address)
  return unknownFilters(
    name => params.get(name) ?? '',
    [challenge as unknown as Schemas['ChallengeCard']],
    [],
  )
}

it('filters with values that do not exist are unknown', () => {
  expect(unknown('difficulty=bogus&section=nowhere&tag=broadcasting&sort=x')).toEqual([
    'section',
    'difficulty',
    'sort',
  ])
})

it('every value that the page offers is known', () => {
  expect(unknown('q=anything&view=topics&difficulty=easy&form=quiz&minutes=more&status=bookmarked')).toEqual(
    [],
  )
  expect(unknown('section=tensors&application=NLP&device=cpu&scored=memory&sort=level')).toEqual([])
})
