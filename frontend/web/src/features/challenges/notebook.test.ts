import { describe, expect, it } from 'vitest'
import { notebook } from './notebook'

const FOUND = {
  slug: 'leaky-relu',
  title: 'Leaky ReLU',
  statement: 'Return $\\max(x, 0.01 x)$.\n',
  given: '',
  samples: [{ name: 'test_zero', title: 'zero', source: 'def test_zero(solution):\n    ...\n' }],
} as Parameters<typeof notebook>[0]

describe('the notebook of a challenge', () => {
  it('holds the statement, the answer and the samples', () => {
    const book = JSON.parse(notebook(FOUND, 'def leaky(x):\n    return x\n', 'https://gradus.example'))
    expect([book.nbformat, book.nbformat_minor]).toEqual([4, 5])
    const [statement, , extension, answer, samples] = book.cells
    expect(statement.source).toContain('$\\max(x, 0.01 x)$')
    expect(statement.source).toContain('https://gradus.example/challenges/leaky-relu')
    expect(extension.source).toBe('%load_ext gradus')
    expect(answer.source).toBe('%%gradus leaky-relu --submit\ndef leaky(x):\n    return x\n')
    expect(answer.outputs).toEqual([])
    expect(samples.source).toContain('def test_zero(solution):')
  })

  it('writes the file that the answer imports, before the answer', () => {
    const { cells } = JSON.parse(notebook({ ...FOUND, given: 'SLOPE = 0.01\n' }, '', 'x'))
    expect(cells[3].source).toBe('%%writefile given.py\nSLOPE = 0.01\n')
    expect(cells[4].source).toContain('%%gradus leaky-relu')
  })

  it('gives each cell an id of its own, and Markdown no outputs', () => {
    const { cells } = JSON.parse(notebook({ ...FOUND, samples: [] }, '', 'x'))
    expect(new Set(cells.map((each: { id: string }) => each.id)).size).toBe(cells.length)
    expect(cells).toHaveLength(4)
    expect(cells[0]).not.toHaveProperty('outputs')
  })
})
