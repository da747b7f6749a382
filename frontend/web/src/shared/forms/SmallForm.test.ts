import { expect, it } from 'vitest'
import '@/shared/testing/browser'

const { ApiError } = await import('@/api/client')
const { fieldError } = await import('./SmallForm')

it('the message for a field begins with a capital letter', () => {
  const error = new ApiError(422, 'invalid_input', 'x', [{ field: 'name', message: 'must not be empty' }])
  expect(fieldError(error, 'name')).toBe('Must not be empty')
  expect(fieldError(error, 'email')).toBeUndefined()
})
