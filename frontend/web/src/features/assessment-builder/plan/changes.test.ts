import { describe, expect, it } from 'vitest'
import { applyChange, type Change } from './changes'
import { EMPTY, type Form, itemsOf, LIMITS, nextKey, type Plan, toForm } from './form'

const softmax = {
  kind: 'challenge' as const,
  name: 'stable-softmax',
  variants: false,
  follow_ups: [],
  question: null,
}
const RULES = { follow_up_points: [], feedback: 'everything', submissions: null, pause_s: null } as const
const quiz = { kind: 'quiz' as const, name: 'broadcasting', variants: false, follow_ups: [], question: null }
const formAfter = (...changes: Change[]): Form => changes.reduce(applyChange, EMPTY)
const TWO: Change[] = [
  { do: 'add section' },
  { do: 'add section' },
  { do: 'add item', section: 'section-1', choice: softmax, points: 10 },
  { do: 'add item', section: 'section-1', choice: quiz, points: 5 },
  { do: 'add item', section: 'section-2', choice: softmax, points: 20 },
]
const keys = (form: Form) => form.sections.map(section => section.items.map(item => item.key))

describe('keys', () => {
  it('are free, short and plain', () => {
    expect(nextKey('Stable Softmax!', [])).toBe('stable-softmax')
    expect(nextKey('a', ['a', 'a-2'])).toBe('a-3')
    expect(nextKey('«»', [])).toBe('part')
    expect(nextKey('x'.repeat(80), [])).toHaveLength(36)
  })

  it('stay unique when the same challenge is added twice', () => {
    expect(keys(formAfter(...TWO))).toEqual([['stable-softmax', 'broadcasting'], ['stable-softmax-2']])
  })
})

describe('moving', () => {
  it('swaps neighbours inside a section', () => {
    const form = formAfter(...TWO, { do: 'move item', item: 'broadcasting', by: -1 })
    expect(keys(form)).toEqual([['broadcasting', 'stable-softmax'], ['stable-softmax-2']])
  })

  it('crosses into the neighbouring section at its near end', () => {
    const form = formAfter(...TWO, { do: 'move item', item: 'broadcasting', by: 1 })
    expect(keys(form)).toEqual([['stable-softmax'], ['broadcasting', 'stable-softmax-2']])
    expect(keys(applyChange(form, { do: 'move item', item: 'broadcasting', by: -1 }))).toEqual(
      keys(formAfter(...TWO)),
    )
  })

  it('beyond an end, of what is not there, or into a full section changes nothing', () => {
    const form = formAfter(...TWO)
    expect(applyChange(form, { do: 'move item', item: 'stable-softmax', by: -1 })).toBe(form)
    expect(applyChange(form, { do: 'move item', item: 'nobody', by: 1 })).toBe(form)
    expect(applyChange(form, { do: 'move section', section: 'section-2', by: 1 })).toBe(form)
    const many = Array.from({ length: LIMITS.items - 1 }, (): Change => {
      return { do: 'add item', section: 'section-2', choice: quiz, points: 1 }
    })
    const full = many.reduce(applyChange, form)
    expect(applyChange(full, { do: 'move item', item: 'broadcasting', by: 1 })).toBe(full)
  })

  it('swaps sections', () => {
    const form = formAfter(...TWO, { do: 'move section', section: 'section-2', by: -1 })
    expect(form.sections.map(each => each.key)).toEqual(['section-2', 'section-1'])
  })
})

describe('changing', () => {
  it('never writes to the form before', () => {
    const before = formAfter(...TWO)
    const written = JSON.stringify(before)
    const changes: Change[] = [
      { do: 'set', fields: { minutes: 90 } },
      { do: 'set section', section: 'section-1', fields: { title: 'Warm-up', draw: 1 } },
      { do: 'set item', item: 'broadcasting', fields: { points: 7 } },
      { do: 'add choice', item: 'broadcasting', choice: softmax },
      { do: 'set choice', item: 'broadcasting', at: 1, choice: { ...softmax, variants: true } },
      { do: 'remove choice', item: 'broadcasting', at: 0 },
      { do: 'remove item', item: 'stable-softmax' },
      { do: 'remove section', section: 'section-2' },
    ]
    const end = changes.reduce(applyChange, before)
    expect(JSON.stringify(before)).toBe(written)
    expect(end.minutes).toBe(90)
    expect(end.sections).toHaveLength(1)
    expect(end.sections[0]).toMatchObject({ title: 'Warm-up', draw: 1 })
    expect(itemsOf(end)).toEqual([
      { key: 'broadcasting', points: 7, ...RULES, choices: [{ ...softmax, variants: true }] },
    ])
  })

  it('asks as many follow-ups of every choice as there are points for', () => {
    const followUps = [
      ['a', 'b'],
      ['c', 'd'],
    ]
    const form = formAfter(
      ...TWO.slice(0, 3),
      { do: 'add choice', item: 'stable-softmax', choice: { ...softmax, name: 'other' } },
      { do: 'set follow-ups', item: 'stable-softmax', points: [5], followUps },
    )
    const [item] = itemsOf(form)
    expect(item?.follow_up_points).toEqual([5])
    expect(item?.choices.map(each => each.follow_ups)).toEqual([['a'], ['c']])
    expect(itemsOf(toForm(form))).toEqual([item])
  })

  it('reads a plan with fields left out as the same form as with their defaults', () => {
    const { practice, opens_at, closes_at, ...rest } = EMPTY
    expect(JSON.stringify(toForm(rest as Plan))).toBe(JSON.stringify(EMPTY))
  })
})
