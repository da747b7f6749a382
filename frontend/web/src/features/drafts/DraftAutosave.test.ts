import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { json, service } from '@/shared/testing/browser'

const { DraftAutosave, PAUSE_MS, HERE, removeDrafts } = await import('./DraftAutosave')

const kept = (source: string, version: number) => ({ source, version, previous: null })
/** An autosave that has loaded the service's draft. */
async function met(draft: object, remote = true) {
  service.respond = () => json(draft)
  const keeper = new DraftAutosave('softmax', 'starter', remote ? 'ada' : HERE, remote)
  keeper.signIn()
  // biome-ignore lint/suspicious/noExplicitAny: start() needs a document; loading does not
  await (keeper as any).refresh()
  return keeper
}
const puts = () => service.requests.filter(each => each.method === 'PUT').map(each => each.body)

beforeEach(() => {
  vi.useFakeTimers()
  localStorage.clear()
  service.requests.length = 0
})
afterEach(() => vi.useRealTimers())

describe('a draft', () => {
  it('is the starter until somebody writes, and what the service has if it has something', async () => {
    expect((await met(kept('', 0))).draft).toMatchObject({ text: 'starter', status: 'saved' })
    expect((await met(kept('from another day', 3))).draft).toMatchObject({
      text: 'from another day',
      status: 'saved',
    })
  })

  it('is saved a moment after the last change, with the version it was made from', async () => {
    const keeper = await met(kept('old', 3))
    service.respond = () => json(kept('new', 4))
    keeper.change('ne')
    keeper.change('new')
    await vi.advanceTimersByTimeAsync(PAUSE_MS)
    expect(puts()).toEqual([{ source: 'new', version: 3 }])
    expect(keeper.draft.status).toBe('saved')
    await vi.advanceTimersByTimeAsync(PAUSE_MS * 10)
    expect(puts()).toHaveLength(1)
  })

  it('survives a reload before it was saved', async () => {
    const keeper = await met(kept('old', 3))
    keeper.change('not saved yet')
    const again = new DraftAutosave('softmax', 'starter', 'ada', true)
    expect(again.draft.text).toBe('not saved yet')
  })

  it('that another device changed too is shown beside it, and nothing is sent until somebody decides', async () => {
    const keeper = await met(kept('old', 3))
    service.respond = () => json({ code: 'draft_conflict', message: 'x', draft: kept('theirs', 4) }, 409)
    keeper.change('mine')
    await vi.advanceTimersByTimeAsync(PAUSE_MS)
    expect(keeper.draft).toMatchObject({ status: 'conflict', text: 'mine', theirs: { source: 'theirs' } })
    keeper.change('mine, on and on')
    await vi.advanceTimersByTimeAsync(PAUSE_MS * 3)
    expect(puts()).toHaveLength(1)
    service.respond = () => json(kept('both', 5))
    keeper.settle('both')
    await vi.advanceTimersByTimeAsync(0)
    expect(puts().at(-1)).toEqual({ source: 'both', version: 4 })
    expect(keeper.draft).toMatchObject({ status: 'saved', theirs: undefined })
  })

  it('is sent again when the connection comes back', async () => {
    const keeper = await met(kept('old', 3))
    service.respond = () => Promise.reject(new TypeError('no network'))
    keeper.change('new')
    await vi.advanceTimersByTimeAsync(PAUSE_MS)
    expect(keeper.draft).toMatchObject({ status: 'offline', text: 'new' })
    service.respond = () => json(kept('new', 4))
    await vi.advanceTimersByTimeAsync(6000)
    expect(keeper.draft.status).toBe('saved')
  })

  it('that is refused for good says why, and is not sent for ever', async () => {
    const keeper = await met(kept('old', 3))
    service.respond = () => json({ code: 'too_large', message: 'Too large.' }, 413)
    keeper.change('new')
    await vi.advanceTimersByTimeAsync(PAUSE_MS)
    expect(keeper.draft).toMatchObject({ status: 'refused', message: 'Too large.' })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(puts()).toHaveLength(1)
  })

  it('of a guest goes along when he signs in', async () => {
    new DraftAutosave('softmax', 'starter', HERE, false).change('before the account')
    expect(service.requests).toEqual([])
    expect(new DraftAutosave('softmax', 'starter', 'ada', true).draft.text).toBe('before the account')
  })
})

it('the drafts of a deleted account are removed from this browser, and no others', () => {
  for (const key of ['draft:softmax:ada', 'draft:rms-norm:ada', 'draft:softmax:bob', 'draft:softmax:here'])
    localStorage.setItem(key, '{}')
  localStorage.setItem('draft-owner', 'ada')
  removeDrafts('ada')
  expect(Object.keys(localStorage)).toEqual(['draft:softmax:bob', 'draft:softmax:here'])
})
