import { MantineProvider } from '@mantine/core'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import '@/shared/testing/browser'
import type { Test } from './useJudging'

const { TestResults } = await import('./TestResults')
const HINT = 'The mask is added after the softmax.'
const failed = (verdict: Test['verdict'], message: string): Test => ({
  attested: false,
  exhibits: [],
  id: 'test_it',
  line: null,
  message,
  points: 1,
  sample: true,
  seconds: 0,
  stdout: '',
  title: HINT,
  verdict,
})
const shown = (...tests: Test[]) =>
  renderToStaticMarkup(
    <MantineProvider>
      <TestResults tests={tests} />
    </MantineProvider>,
  )

it('an error comes before the hint of its test, which says what the test checks', () => {
  const page = shown(failed('RE', 'NameError: q'))
  expect(page).toContain('This test checks: ')
  expect(page.indexOf('NameError')).toBeLessThan(page.indexOf(HINT))
})

it('the hint for a wrong result comes first', () => {
  const page = shown(failed('WA', 'expected 1, got 2'))
  expect(page).not.toContain('This test checks')
  expect(page.indexOf(HINT)).toBeLessThan(page.indexOf('expected 1'))
})
