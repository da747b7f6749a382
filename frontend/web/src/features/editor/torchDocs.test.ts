import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { entriesOf, lookUp, placeOf, setTorchDocs } from './torchDocs'

beforeAll(() => setTorchDocs(JSON.parse(readFileSync('public/torch-docs.json', 'utf-8')).names))

describe('what torch says about a name', () => {
  it.each([
    ['torch.softmax', 'softmax(input, dim, *, dtype=None) -> Tensor'],
    ['F.softmax', 'softmax(input, dim=None'],
    ['nn.functional.softmax', 'softmax(input, dim=None'],
    ['nn.Linear', 'Linear(in_features, out_features, bias=True'],
    ['Linear', 'Linear(in_features, out_features, bias=True'],
    ['DataLoader', 'DataLoader(dataset, batch_size=1'],
    ['torch.optim.AdamW', 'AdamW(params, lr=0.001'],
    ['scores.masked_fill', 'masked_fill('],
    ['torch.linalg.svd', 'linalg.svd(A, full_matrices=True'],
    ['self.register_buffer', 'register_buffer(name, tensor, persistent=True)'],
  ])('knows %s', (expression, signature) => {
    expect(lookUp(expression)?.signature.slice(0, signature.length)).toBe(signature)
  })

  it.each(['attention', 'softmax', 'x.no_such_method', 'torch.constructor', '', '.'])(
    'knows nothing of %s',
    name => {
      expect(lookUp(name)).toBeUndefined()
    },
  )

  it('takes what is no folder of torch for a tensor', () => {
    expect(placeOf('q.mT')).toBe('torch.Tensor')
    expect(placeOf(')')).toBe('torch.Tensor')
    expect(placeOf('torch.optim.lr_scheduler')).toBe('torch.optim.lr_scheduler')
  })

  it('lists names with their paragraphs', () => {
    const found = entriesOf('torch.nn.functional').find(each => each.path.endsWith('.cross_entropy'))
    expect(found?.paragraph).toBe('Compute the cross entropy loss between input logits and target.')
  })
})
