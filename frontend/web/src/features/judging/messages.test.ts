import { describe, expect, it } from 'vitest'
import type { Schemas } from '@/api/client'
import { messageOf, notRun, queueMessage, summarize } from './messages'

type Test = Schemas['TestView']
type Said = Pick<Schemas['SubmissionView'], 'verdict' | 'message' | 'compile_error'>
const test = (some: Partial<Test>): Test => ({
  attested: false,
  exhibits: [],
  id: 'test_it',
  line: null,
  message: '',
  points: 1,
  sample: true,
  seconds: 0,
  stdout: '',
  title: 'Read the formula once more.',
  verdict: 'WA',
  ...some,
})
const NOT_LOADED = 'not run: the answer could not be loaded'

describe('the message of a test', () => {
  it('names the line once', () => {
    const raised = 'RuntimeError: shapes\nline 4, in attention: s = q @ k'
    expect(messageOf(test({ verdict: 'RE', line: 4, message: raised }))).toBe(`Runtime error: ${raised}`)
    const inWords = 'RuntimeError: shapes (line 4)'
    expect(messageOf(test({ verdict: 'RE', line: 4, message: inWords }))).toBe(`Runtime error: ${inWords}`)
  })

  it('names the line where the service does not', () => {
    for (const message of ['', 'line 40 of the input is wrong', 'in line 41'])
      expect(messageOf(test({ line: 4, message }))).toBe(`${message} (line 4)`.trim())
  })

  it('is not the title once more', () => {
    expect(messageOf(test({ message: 'Read the formula once more.' }))).toBe('')
  })

  it('tells nothing of the inside of the judge', () => {
    const told = messageOf(test({ verdict: 'JE', message: 'the zygote was not warm after 60 s' }))
    expect(told).not.toContain('zygote')
    expect(told).toContain('on our side')
  })
})

describe('what was not run', () => {
  it('is told once, with the reason, and not test by test', () => {
    const tests = [1, 2, 3].map(number => test({ id: `test_${number}`, message: NOT_LOADED, verdict: 'RE' }))
    expect(notRun([test({}), ...tests])).toBe('3 tests were not run: the answer could not be loaded.')
    expect(notRun(tests.slice(1, 2))).toBe('1 test was not run: the answer could not be loaded.')
    expect(notRun([test({})])).toBe('')
  })

  it('is not told at all of an answer that does not compile: the error says it', () => {
    expect(notRun([test({ message: NOT_LOADED, verdict: 'CE' })])).toBe('')
  })
})

describe('what is told of the whole answer', () => {
  const said = (some: Partial<Said>): Said => ({ verdict: 'RE', message: '', compile_error: null, ...some })

  it('is a plain sentence where the judge broke', () => {
    const told = summarize(said({ verdict: 'JE', message: 'a container could not be started: exit 137' }))
    expect(told).toBe(
      'The judge failed because of an error on our side. This does not count against the answer.',
    )
  })

  it('does not repeat the compile error', () => {
    const error = { message: 'SyntaxError: invalid syntax', line: 1, column: 2, text: 'def f(' }
    expect(summarize(said({ verdict: 'CE', message: error.message, compile_error: error }))).not.toContain(
      'SyntaxError',
    )
  })
})

describe('what is being waited for', () => {
  it('is a plain sentence, whatever a node says', () => {
    for (const reason of ['The zygote was not warm after 60 s.', 'The node has no slots.', 'x'.repeat(400)]) {
      const place = { position: 1, expected_wait_s: null, reason }
      expect(queueMessage({ phase: 'queued', tests: [], place })).toBe(
        'No machine is available right now. Your code is saved and will run as soon as one is available.',
      )
    }
  })

  it('names the GPU where one was chosen', () => {
    const place = { position: 1, expected_wait_s: null, reason: 'No node with a GPU is connected.' }
    expect(queueMessage({ phase: 'queued', tests: [], place, device: 'cuda' })).toBe(
      'No machine with a GPU is available right now. Your code is saved and will run as soon as one is available.',
    )
  })
})
