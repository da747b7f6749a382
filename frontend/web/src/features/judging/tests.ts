/** Groups the results of tests by test function, as the terminal client does. */
import type { Test } from './useJudging'

/** The cases of one test function. A function without parameters has one case. */
export interface TestGroup {
  id: string
  /** The name of the function as words: `test_nothing_to_attend_to` becomes “nothing to attend to”. */
  name: string
  cases: Test[]
  failed: Test[]
}

/** Groups tests in the order in which the first case of each arrived. */
export function groupTests(tests: Test[]): TestGroup[] {
  const groups = new Map<string, TestGroup>()
  for (const test of tests) {
    const id = test.id.split('[')[0] ?? test.id
    const group = groups.get(id) ?? { id, name: nameOf(id), cases: [], failed: [] }
    group.cases.push(test)
    if (test.verdict !== 'AC') group.failed.push(test)
    groups.set(id, group)
  }
  return [...groups.values()]
}

function nameOf(id: string): string {
  const words = id.split('::').at(-1) ?? id
  return words.replace(/^test_/, '').replaceAll('_', ' ')
}
