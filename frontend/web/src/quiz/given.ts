/** What has been entered for a question, and whether it is an answer yet. */
import type { Asked } from './Question'

export type Given = string[] | Record<string, string> | string | number

export function start(question: Asked): Given {
  if (question.kind === 'choice') return []
  if (question.kind === 'order') return (question.parts ?? []).map(part => part.id)
  if (question.kind === 'match') return {}
  return ''
}

/** The answer to send; undefined while something is missing. */
export function given(question: Asked, value: Given): Given | undefined {
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
