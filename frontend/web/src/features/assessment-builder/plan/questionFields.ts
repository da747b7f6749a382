/** A question of a plan while it is edited: every field is set. */
import type { Schemas } from '@/api/client'

export type Question = Required<Schemas['TeamQuestion']>
export type Answer = Question['answer']
export type Option = Required<Schemas['QuestionOption']>

/** A question of the service with all fields in a fixed order, so that equal questions serialize equally. */
export function toQuestion({ title, prompt, answer, about = null }: Schemas['TeamQuestion']): Question {
  return { title, prompt, answer: toAnswer(answer), about }
}

function toAnswer(answer: Answer): Answer {
  if (answer.type === 'choice')
    return {
      type: 'choice',
      options: answer.options.map(({ text, right = false, reason = '' }) => ({ text, right, reason })),
    }
  if (answer.type === 'number')
    return { type: 'number', value: answer.value, tolerance: answer.tolerance ?? 0 }
  return { type: 'text', max_length: answer.max_length ?? 4000, guide: answer.guide ?? '' }
}
