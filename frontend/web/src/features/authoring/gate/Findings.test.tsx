import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Findings } from './Findings'

test('code in a finding is shown as code, and everything else as it was written', () => {
  const text = 'names no shape: for example `(B, T, d)`; accepts test_a__b and 2 * 3 * 4'
  const shown = renderToStaticMarkup(<Findings of={[{ where: 'statement.md', text }]} />)
  expect(shown).not.toContain('`')
  expect(shown).toMatch(/<code[^>]*>\(B, T, d\)<\/code>/)
  expect(shown).toContain('test_a__b and 2 * 3 * 4')
})
