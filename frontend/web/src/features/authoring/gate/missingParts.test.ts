import { expect, test } from 'vitest'
import { describeMissing } from './missingParts'

test('the gate is offered only if nothing blocks it', () => {
  expect(describeMissing(false)).toContain('You can run the gate already')
  expect(describeMissing(true)).not.toContain('You can run')
})
