/** The default honour statements. One of them says what the plan's sections allow. */
import type { Form } from './form'

const ALONE = 'I will work alone, without help from other people'
const REST = 'I will use only the allowed resources. I will not share the questions with anyone.'
export const DEFAULT_HONOUR_STATEMENT = `${ALONE} or from tools that write code for me. ${REST}`
const WITH_ASSISTANT = `${ALONE}. I will use AI assistants only in the sections that allow them, and as these sections say. ${REST}`

export function defaultHonourOf({ sections }: Pick<Form, 'sections'>): string {
  return sections.some(each => each.assistant !== 'none') ? WITH_ASSISTANT : DEFAULT_HONOUR_STATEMENT
}

/** The form with the default statement that fits, if it had the other default one. */
export function withFittingHonour(form: Form): Form {
  const isDefault = form.honour === DEFAULT_HONOUR_STATEMENT || form.honour === WITH_ASSISTANT
  const honour = isDefault ? defaultHonourOf(form) : form.honour
  return honour === form.honour ? form : { ...form, honour }
}
