import { MantineProvider } from '@mantine/core'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { OpenedItem } from '../requests'
import { describeSubmissionRules, SubmissionLimits } from './SubmissionLimits'

type Rules = NonNullable<OpenedItem['rules']>

const rules = (submissions: number, left: number): Rules => ({
  feedback: 'everything',
  submissions,
  left,
  pause_s: 30,
  next_at: null,
})

const shown = (of: Rules) =>
  renderToStaticMarkup(
    <MantineProvider>
      <SubmissionLimits rules={of} wait={0} />
    </MantineProvider>,
  )

test('when no submissions are left, candidates read that further changes do not count', () => {
  expect(shown(rules(1, 0))).toContain('No submissions left: changes from here on do not count')
  expect(shown(rules(2, 1))).toContain('1 of 2 submissions left')
})

test('a single submission has no pause before the next one', () => {
  expect(describeSubmissionRules(rules(1, 1))).toBe('You can submit 1 answer.')
  expect(describeSubmissionRules(rules(2, 2))).toBe(
    'You can submit 2 answers. Wait 30 seconds between two submissions.',
  )
})
