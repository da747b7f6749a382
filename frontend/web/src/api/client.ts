/** Talks to the service; every refusal becomes a `Refusal` with the service's own sentence. */
import createClient from 'openapi-fetch'
import { answered } from './connection'
import type { components, paths } from './schema'

export type Schemas = components['schemas']
export type Field = Schemas['FieldError']

export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly fields: Field[] = [],
  ) {
    super(message)
  }

  /** The message for one field of a form, if the service names it. */
  of(field: string): string | undefined {
    return this.fields.find(each => each.field.endsWith(field))?.message
  }
}

export const api = createClient<paths>({ baseUrl: '/', credentials: 'same-origin' })

type Answered<T> = { data?: T; error?: unknown; response: Response }

/** The data of an answer. Throws `Refusal`. */
export async function told<T>(answer: Promise<Answered<T>>): Promise<T> {
  let came: Answered<T>
  try {
    came = await answer
  } catch {
    answered(0)
    throw new Refusal(0, 'offline', 'The service cannot be reached. Check your connection, then try again.')
  }
  const { data, error, response } = came
  answered(response.status)
  if (error === undefined) return data as T
  throw refusal(error, response.status)
}

function refusal(error: unknown, status: number): Refusal {
  if (error && typeof error === 'object' && 'code' in error && 'message' in error) {
    const body = error as Schemas['ErrorBody']
    return new Refusal(status, body.code, body.message, body.fields ?? [])
  }
  return new Refusal(
    status,
    'broken',
    'The service answered in a way that cannot be read. Try again in a moment.',
  )
}
