import { expect, test } from 'vitest'
import { applyChange, type Change } from './changes'
import { EMPTY, type Form } from './form'
import { DEFAULT_HONOUR_STATEMENT } from './honour'

const formAfter = (honour: string, ...changes: Change[]): Form =>
  changes.reduce(applyChange, { ...EMPTY, honour })
const allow = (assistant: 'none' | 'own'): Change => ({
  do: 'set section',
  section: 'section-1',
  fields: { assistant },
})
const ADD: Change = { do: 'add section' }

test('the default statement follows what the sections allow', () => {
  const allowed = formAfter(DEFAULT_HONOUR_STATEMENT, ADD, allow('own'))
  expect(allowed.honour).toContain('AI assistants only in the sections that allow them')
  expect(applyChange(allowed, allow('none')).honour).toBe(DEFAULT_HONOUR_STATEMENT)
})

test('a statement that the author wrote stays', () => {
  expect(formAfter('On my honour.', ADD, allow('own')).honour).toBe('On my honour.')
  expect(formAfter('', ADD, allow('own')).honour).toBe('')
})
