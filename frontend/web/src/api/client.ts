/** The HTTP client of the service. Every error response becomes an `ApiError` that carries the service's own message. */
import createClient from 'openapi-fetch'
import { reportStatus } from './connection'
import type { components, paths } from './schema'

export type Schemas = components['schemas']
export type Field = Schemas['FieldError']

export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly fields: Field[] = [],
    /** When the request may be retried, if the service says so. */
    readonly again?: number,
  ) {
    super(message)
  }

  /** The message for one form field, if the service names that field. It stands alone, so it begins with a capital letter. */
  messageFor(field: string): string | undefined {
    const message = this.fields.find(each => each.field.endsWith(field))?.message
    return message && message.charAt(0).toUpperCase() + message.slice(1)
  }
}

export const api = createClient<paths>({ baseUrl: '/', credentials: 'same-origin' })

type Answered<T> = { data?: T; error?: unknown; response: Response }

/** Returns the data of a response. Throws `ApiError`. */
export async function unwrap<T>(answer: Promise<Answered<T>>): Promise<T> {
  let came: Answered<T>
  try {
    came = await answer
  } catch {
    reportStatus(0)
    throw new ApiError(0, 'offline', 'The server cannot be reached. Check your connection and try again.')
  }
  const { data, error, response } = came
  reportStatus(response.status)
  if (error === undefined) return data as T
  throw toApiError(error, response)
}

function toApiError(error: unknown, { status, headers }: Response): ApiError {
  const seconds = Number.parseInt(headers.get('retry-after') ?? '', 10)
  const again = seconds > 0 ? Date.now() + 1000 * seconds : undefined
  if (error && typeof error === 'object' && 'code' in error && 'message' in error) {
    const body = error as Schemas['ErrorBody']
    return new ApiError(status, body.code, body.message, body.fields ?? [], again)
  }
  return new ApiError(
    status,
    'broken',
    'The server sent an invalid response. Try again in a moment.',
    [],
    again,
  )
}
