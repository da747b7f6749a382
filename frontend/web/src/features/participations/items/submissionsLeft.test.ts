import { expect, test } from 'vitest'
import type { ItemCard, Participation } from '../requests'
import { describeWhatCounts, describeWhatWasSubmitted, usedUpItems } from './submissionsLeft'

const participation = (...lefts: (number | null)[]) =>
  ({
    sections: [
      {
        items: lefts.map((submissions_left, at) => ({
          position: at + 1,
          submissions_left,
          handed_in_at: null,
        })) as Partial<ItemCard>[],
      },
    ],
  }) as Participation

test('code left in an editor counts, or only if a submission is left for its item', () => {
  expect(describeWhatCounts(participation(null))).toBe('Everything you submit or leave in an editor counts.')
  expect(describeWhatCounts(participation(null, 1))).toContain('if a submission is left for its item')
})

test('the latest code was submitted, unless no submission was left', () => {
  expect(describeWhatWasSubmitted(participation(null))).not.toContain('left')
  expect(describeWhatWasSubmitted(participation(0, null))).toContain('had no submissions left for its item')
})

test('items whose submissions are used up are listed before the end', () => {
  expect(usedUpItems(participation(0, 1, null)).map(item => item.position)).toEqual([1])
})
