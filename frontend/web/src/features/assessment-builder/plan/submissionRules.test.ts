import { describe, expect, it } from 'vitest'
import type { Choice, Item } from './form'
import type { Answer } from './questionFields'
import { describeRules, feedbackOf, feedbackOptions } from './submissionRules'

const ANSWERS: Record<Answer['type'], Answer> = {
  choice: { type: 'choice', options: [] },
  number: { type: 'number', value: 8, tolerance: 0 },
  text: { type: 'text', max_length: 4000, guide: '' },
}
const choice = (kind: Choice['kind'], type?: Answer['type']): Choice => ({
  kind,
  name: `${kind}-${type ?? ''}`,
  variants: false,
  follow_ups: [],
  question: type ? { title: 'Scale', prompt: 'Why?', answer: ANSWERS[type], about: null } : null,
})
const item = (feedback: Item['feedback'], ...choices: Choice[]): Item => ({
  key: 'one',
  points: 10,
  follow_up_points: [],
  feedback,
  submissions: null,
  pause_s: null,
  choices,
})
const values = (of: Item) => feedbackOptions(of).map(each => each.value)

describe('what candidates see of a result', () => {
  it('is chosen for challenges and questions, but not for quizzes', () => {
    expect(values(item('everything', choice('challenge')))).toEqual(['everything', 'names', 'verdict'])
    expect(values(item('everything', choice('question', 'number')))).toEqual([
      'everything',
      'names',
      'verdict',
    ])
    expect(values(item('everything', choice('quiz')))).toEqual([])
  })

  it('has no names of tests for a question, and only points for a text', () => {
    const labels = feedbackOptions(item('everything', choice('question', 'choice'))).map(each => each.label)
    expect(labels.join()).not.toContain('test')
    expect(values(item('everything', choice('question', 'text')))).toEqual(['everything', 'verdict'])
    expect(values(item('everything', choice('question', 'text'), choice('question', 'number')))).toEqual([
      'everything',
      'names',
      'verdict',
    ])
  })

  it('is described in words that fit the item', () => {
    expect(describeRules(item('verdict', choice('challenge')))).toBe('candidates see only the verdict')
    expect(describeRules(item('verdict', choice('question', 'number')))).toBe(
      'candidates see only whether they are right',
    )
    expect(describeRules(item('verdict', choice('question', 'text')))).toBe(
      'candidates do not see the points',
    )
    expect(describeRules(item('everything', choice('question', 'number')))).toBe('')
  })

  it('is everything for a text whose plan names an option without a difference', () => {
    const text = item('names', choice('question', 'text'))
    expect([feedbackOf(text), describeRules(text)]).toEqual(['everything', ''])
  })

  it('names no pause if only one answer can be submitted', () => {
    const limited = { ...item('everything', choice('challenge')), pause_s: 30 }
    expect(describeRules({ ...limited, submissions: 1 })).toBe('at most 1 submission')
    expect(describeRules({ ...limited, submissions: 2 })).toBe(
      'at most 2 submissions, 30 seconds between two submissions',
    )
  })
})
