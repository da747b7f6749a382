import { describe, expect, it } from 'vitest'
import type { AvailableItem, AvailableItems } from './availableItems'
import { itemsOf } from './form'
import { type ReadyMade, templatesFrom } from './templates'

const thing = (name: string, points: number): AvailableItem => ({
  choice: { kind: 'challenge', name, variants: true, follow_ups: [], question: null },
  followUps: [],
  title: name,
  about: '',
  section: 'losses',
  difficulty: 'medium',
  minutes: 20,
  questions: 0,
  points,
  variants: [],
  address: '',
  reserved: false,
})
const things: AvailableItems = new Map(
  ['softmax', 'cross-entropy'].map(name => [`challenge:${name}`, thing(name, 20)]),
)
const challenge = (name: string, ...follow_ups: string[]) => ({
  kind: 'challenge' as const,
  name,
  variants: false,
  follow_ups,
  question: null,
})
const role = (...items: ReadyMade['sections'][number]['items']): ReadyMade => ({
  id: 'role',
  name: 'Role',
  about: '',
  minutes: 60,
  measured: 0,
  verdicts: 'after',
  sections: [{ title: 'Code', minutes: null, draw: null, assistant: 'none', items }],
})
const itemsFrom = (ready: ReadyMade) => itemsOf(templatesFrom([ready], things)[0]?.form as never)

describe('a template from a role', () => {
  it('asks the follow-ups of the role, each for half of the points', () => {
    const [item] = itemsFrom(
      role({ choices: [challenge('softmax', 'softmax-over-several')], minutes: 40, points: null }),
    )
    expect(item).toMatchObject({ points: 20, follow_up_points: [10] })
    expect(item?.choices[0]).toMatchObject({ variants: true, follow_ups: ['softmax-over-several'] })
  })

  it('asks none where the role asks none', () => {
    const [item] = itemsFrom(
      role({ choices: [challenge('softmax'), challenge('cross-entropy')], minutes: 20, points: null }),
    )
    expect(item?.follow_up_points).toEqual([])
    expect(item?.choices.map(each => each.name)).toEqual(['softmax', 'cross-entropy'])
  })

  it('asks a question about the item that has the challenge', () => {
    const question = {
      title: 'Your softmax',
      prompt: 'Why?',
      about: 'cross-entropy',
      answer: { type: 'text' as const, max_length: 2000, guide: 'Because.' },
    }
    const asked = {
      kind: 'question' as const,
      name: 'your-softmax',
      variants: false,
      follow_ups: [],
      question,
    }
    const [code, item] = itemsFrom(
      role(
        { choices: [challenge('softmax'), challenge('cross-entropy')], minutes: 20, points: null },
        { choices: [asked], minutes: 4, points: 5 },
      ),
    )
    expect(item).toMatchObject({ points: 5, follow_up_points: [] })
    expect(item?.choices[0]?.question).toEqual({ ...question, about: code?.key })
  })
})

describe('the instructions of a template', () => {
  it('promise no submission that a limit would refuse', () => {
    const instructions = templatesFrom([], things)[0]?.form.instructions ?? ''
    expect(instructions).not.toContain('submit as often as you like')
    expect(instructions).toContain('if a submission is left for it')
  })
})
