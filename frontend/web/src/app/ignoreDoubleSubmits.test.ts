import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ignoreDoubleSubmits } from './ignoreDoubleSubmits'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('sends a form once if it is submitted twice at once, and again later', () => {
  const form = new EventTarget()
  const sent = vi.fn()
  ignoreDoubleSubmits(form as Document)
  form.addEventListener('submit', sent)
  const submit = () => form.dispatchEvent(new Event('submit', { cancelable: true }))
  expect(submit()).toBe(true)
  expect(submit()).toBe(false)
  expect(sent).toHaveBeenCalledTimes(1)
  vi.runAllTimers()
  submit()
  expect(sent).toHaveBeenCalledTimes(2)
})
