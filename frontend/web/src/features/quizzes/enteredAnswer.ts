/** The input for a question, and whether it is a complete answer. */
import type { Schemas } from '@/api/client'

export type QuestionView = Schemas['QuestionView']

export type EnteredAnswer = string[] | Record<string, string> | string | number

export function emptyAnswer(question: QuestionView): EnteredAnswer {
  if (question.kind === 'choice') return []
  if (question.kind === 'order') return (question.parts ?? []).map(part => part.id)
  if (question.kind === 'match') return {}
  return ''
}

/** The answer to submit; undefined while incomplete. */
export function completeAnswer(question: QuestionView, value: EnteredAnswer): EnteredAnswer | undefined {
  switch (question.kind) {
    case 'choice':
      return Array.isArray(value) && value.length > 0 ? value : undefined
    case 'order':
      return value
    case 'match':
      return Object.keys(value).length === (question.parts ?? []).length ? value : undefined
    case 'numeric': {
      const number = Number(String(value).replace(',', '.'))
      return String(value).trim() && Number.isFinite(number) ? number : undefined
    }
    case 'predict':
      return String(value).trim() ? String(value) : undefined
  }
}
