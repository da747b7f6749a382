import { describe, expect, it } from 'vitest'
import { applyChange } from './changes'
import { findDifferences, mergePlans, type Side } from './compare'
import { EMPTY, type Form, itemsOf } from './form'

const choice = {
  kind: 'challenge' as const,
  name: 'softmax',
  variants: false,
  follow_ups: [],
  question: null,
}
const BASE: Form = [
  { do: 'add section' as const },
  { do: 'add section' as const },
  { do: 'set section' as const, section: 'section-1', fields: { title: 'One' } },
  { do: 'set section' as const, section: 'section-2', fields: { title: 'Two' } },
  { do: 'add item' as const, section: 'section-1', choice, points: 10 },
].reduce(applyChange, EMPTY)
const keysOf = (base: Form | null, mine: Form, theirs: Form) =>
  findDifferences(base, mine, theirs, null).map(({ key, likely, both }) => [key, likely, both])

describe('differences', () => {
  it('are none between the same', () => {
    expect(findDifferences(BASE, BASE, structuredClone(BASE), null)).toEqual([])
  })

  it('name the side that changed it', () => {
    const mine = applyChange(BASE, { do: 'set', fields: { minutes: 90 } })
    const theirs = applyChange(BASE, { do: 'set', fields: { attempts: 2 } })
    expect(keysOf(BASE, mine, theirs)).toEqual([
      ['minutes', 'mine', false],
      ['attempts', 'theirs', false],
    ])
  })

  it('say where both changed the same, and take mine', () => {
    const mine = applyChange(BASE, { do: 'set', fields: { minutes: 90 } })
    const theirs = applyChange(BASE, { do: 'set', fields: { minutes: 30 } })
    expect(keysOf(BASE, mine, theirs)).toEqual([['minutes', 'mine', true]])
    expect(keysOf(null, mine, theirs)).toEqual([['minutes', 'mine', true]])
  })

  it('see a section that one side removed, and another order', () => {
    const gone = applyChange(BASE, { do: 'remove section', section: 'section-2' })
    expect(keysOf(BASE, BASE, gone)).toEqual([['section:section-2', 'theirs', false]])
    const turned = applyChange(BASE, { do: 'move section', section: 'section-2', by: -1 })
    expect(keysOf(BASE, turned, BASE)).toEqual([['order', 'mine', false]])
  })
})

describe('merging', () => {
  const mine = applyChange(applyChange(BASE, { do: 'set', fields: { minutes: 90 } }), { do: 'add section' })
  const theirs = applyChange(BASE, { do: 'set item', item: 'softmax', fields: { points: 25 } })

  it('takes each difference from the side that was chosen', () => {
    const likely = new Map(findDifferences(BASE, mine, theirs, null).map(each => [each.key, each.likely]))
    const both = mergePlans(mine, theirs, key => likely.get(key) ?? 'mine')
    expect(both.minutes).toBe(90)
    expect(both.sections.map(each => each.key)).toEqual(['section-1', 'section-2', 'section-3'])
    expect(itemsOf(both)[0]?.points).toBe(25)
  })

  it('with one side throughout is that side', () => {
    for (const side of ['mine', 'theirs'] as Side[])
      expect(mergePlans(mine, theirs, () => side)).toEqual(side === 'mine' ? mine : theirs)
  })

  it('keeps an item once that one side moved', () => {
    const moved = applyChange(BASE, { do: 'move item', item: 'softmax', by: 1 })
    const both = mergePlans(moved, BASE, key => (key === 'section:section-1' ? 'theirs' : 'mine'))
    expect(itemsOf(both).map(each => each.key)).toEqual(['softmax'])
  })
})
