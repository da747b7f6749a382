import { expect, test } from 'vitest'
import { describeRefused } from './labels'

test('what was refused outside of the assessment is said in plain words', () => {
  expect(describeRefused('own input')).toBe(
    'Opened the page of this item outside of the assessment; access was refused',
  )
  expect(describeRefused('something new')).toMatch(/^Opened this item outside of the assessment/)
})
