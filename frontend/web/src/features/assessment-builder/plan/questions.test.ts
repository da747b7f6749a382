import { describe, expect, it } from 'vitest'
import { EMPTY, type Form, type Item } from './form'
import {
  choiceOf,
  type Draft,
  EMPTY_QUESTION,
  emptyAnswer,
  itemsBefore,
  questionErrors,
  toDraft,
} from './questions'

const item = (key: string, kind: 'challenge' | 'quiz' = 'challenge'): Item => ({
  key,
  points: 10,
  follow_up_points: [],
  feedback: 'everything',
  submissions: null,
  pause_s: null,
  choices: [{ kind, name: key, variants: false, follow_ups: [], question: null }],
})
const section = (key: string, items: Item[], draw: number | null = null) => ({
  key,
  title: key,
  minutes: null,
  draw,
  assistant: 'none' as const,
  items,
})
const form = (...sections: Form['sections']): Form => ({ ...EMPTY, sections })
const asked: Draft = { ...EMPTY_QUESTION, title: 'Why a mask?', prompt: 'Why?', answer: emptyAnswer('text') }

describe('a question', () => {
  it('needs a title, a prompt and an answer that can be marked', () => {
    expect(Object.keys(questionErrors(EMPTY_QUESTION))).toEqual(['title', 'prompt', 'options.0', 'options.1'])
    expect(questionErrors({ ...asked, answer: emptyAnswer('number') })).toEqual({
      value: 'Enter the right number.',
    })
    expect(questionErrors(asked)).toEqual({})
    const same = ['a', 'a '].map(text => ({ text, right: false, reason: '' }))
    expect(Object.keys(questionErrors({ ...asked, answer: { type: 'choice', options: same } }))).toEqual([
      'options.1',
      'options',
    ])
  })

  it('gets a name of its own', () => {
    const first = choiceOf(form(), asked)
    expect(first.name).toBe('why-a-mask')
    const used = form(section('one', [{ ...item('x'), choices: [first] }]))
    expect(choiceOf(used, asked).name).toBe('why-a-mask-2')
  })

  it('reads the same from the service as it was sent', () => {
    const { question } = choiceOf(form(), asked)
    expect(JSON.stringify(question && toDraft(question))).toBe(JSON.stringify(asked))
  })

  it('can be about earlier challenges that every candidate gets', () => {
    const plan = form(
      section('drawn', [item('a'), item('b')], 1),
      section('all', [item('c'), item('d', 'quiz'), item('e')]),
      section('last', [item('f')]),
    )
    expect(itemsBefore(plan, 'all').map(each => each.key)).toEqual(['c', 'e'])
    expect(itemsBefore(plan, 'all', 'e').map(each => each.key)).toEqual(['c'])
  })
})
