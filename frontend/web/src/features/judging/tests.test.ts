import { describe, expect, it } from 'vitest'
import { groupTests } from './tests'
import type { Test } from './useJudging'

const test = (id: string, verdict: Test['verdict'] = 'AC'): Test => ({
  attested: false,
  exhibits: [],
  id,
  line: null,
  message: '',
  points: 1,
  sample: false,
  seconds: 0,
  stdout: '',
  title: '',
  verdict,
})

describe('groups of tests', () => {
  it('have the name of the function as words', () => {
    const [plain, inFile] = groupTests([
      test('test_nothing_to_attend_to'),
      test('tests.py::test_values[2-3]'),
    ])
    expect(plain?.name).toBe('nothing to attend to')
    expect(inFile?.name).toBe('values')
  })

  it('hold all cases of a function, in the order of their arrival', () => {
    const found = groupTests([test('test_b[x]'), test('test_a', 'WA'), test('test_b[y]', 'RE')])
    expect(found.map(each => each.name)).toEqual(['b', 'a'])
    expect(found[0]?.cases.map(each => each.id)).toEqual(['test_b[x]', 'test_b[y]'])
    expect(found.map(each => each.failed.length)).toEqual([1, 1])
  })
})
