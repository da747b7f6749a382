import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { json, service } from '@/shared/testing/browser'

const { AnswerAutosave } = await import('./AnswerAutosave')

const HOUR_MS = 3_600_000
const LONG_MS = 30_000
let news = 0
const told = () => {
  news += 1
}
const made = (recorded: ('edits' | 'pastes' | 'focus')[] = ['edits'], left = HOUR_MS / 4) => {
  const endsAt = Date.now() + left
  const terms = { participation: 'p', position: 1, starter: 'start', openedAt: Date.now(), recorded }
  return new AnswerAutosave({ ...terms, endsAt: () => endsAt, onNews: told })
}
const kept = (source: string, revision: number, saved_at: string | null = null) => ({
  source,
  revision,
  saved_at,
})
const sent = () =>
  service.requests
    .filter(each => each.method === 'PUT')
    .map(each => each.body as { sequence: number; source: string })
const typed = (text: string, from: number) => ({ edits: [{ from, to: from, text }], pasted: 0 })

beforeEach(() => {
  vi.useFakeTimers()
  localStorage.clear()
  service.requests.length = 0
  news = 0
})
afterEach(() => vi.useRealTimers())

describe('what is written', () => {
  it('is sent once, with how it came about, from the starter on', async () => {
    service.respond = () => json({ revision: 1 })
    const keeper = made()
    keeper.meet(kept('', 0) as never)
    keeper.change('start!', typed('!', 5))
    expect(keeper.unsaved).toBe(true)
    await vi.advanceTimersByTimeAsync(LONG_MS)
    expect(sent()).toMatchObject([
      {
        sequence: 1,
        source: 'start!',
        edits: [
          { text: 'start', from: 0 },
          { text: '!', from: 5 },
        ],
      },
    ])
    expect(keeper.unsaved).toBe(false)
    expect(keeper.work.status).toBe('saved')
  })

  it('is the same batch again after a lost answer, so that it counts once', async () => {
    service.respond = () => Promise.reject(new TypeError('gone'))
    const keeper = made()
    keeper.meet(kept('', 0) as never)
    keeper.change('start!', typed('!', 5))
    await vi.advanceTimersByTimeAsync(5_000)
    expect(keeper.work.status).toBe('offline')
    keeper.change('start!!', typed('!', 6))
    service.respond = () => json({ revision: sent().at(-1)?.sequence })
    await vi.advanceTimersByTimeAsync(LONG_MS)
    const first = sent()[0]
    expect(sent().filter(each => each.sequence === 1)).toEqual(
      sent()
        .filter(each => each.sequence === 1)
        .map(() => first),
    )
    expect(sent().at(-1)).toMatchObject({ sequence: 2, source: 'start!!' })
  })

  it('survives a crash of the page, with the batch that was on its way', async () => {
    service.respond = () => new Promise(() => undefined)
    const keeper = made()
    keeper.meet(kept('', 0) as never)
    keeper.change('start!', typed('!', 5))
    await vi.advanceTimersByTimeAsync(LONG_MS)
    const again = made()
    expect(again.work.text).toBe('start!')
    service.respond = () => json({ revision: 1 })
    again.meet(kept('start!', 1) as never)
    expect(again.unsaved).toBe(false)
  })

  it('gives way to a newer text of another device, and is kept beside it', () => {
    service.respond = () => new Promise(() => undefined)
    const keeper = made()
    keeper.meet(kept('', 0) as never)
    keeper.change('mine', { edits: [{ from: 0, to: 5, text: 'mine' }], pasted: 0 })
    const later = new Date(Date.now() + 60_000).toISOString()
    keeper.meet(kept('theirs', 4, later) as never)
    expect(keeper.work).toMatchObject({ text: 'theirs', other: { text: 'mine' } })
    keeper.settle('mine')
    expect(keeper.work).toMatchObject({ text: 'mine', other: undefined })
    expect(keeper.unsaved).toBe(true)
  })

  it('is held once the time is over, and the page is told', async () => {
    service.respond = () => json({ code: 'time_is_over', message: 'The time is over.' }, 409)
    const keeper = made()
    keeper.meet(kept('', 0) as never)
    keeper.change('start!', typed('!', 5))
    await vi.advanceTimersByTimeAsync(LONG_MS)
    expect(keeper.work).toMatchObject({ status: 'held', message: 'The time is over.', text: 'start!' })
    expect(news).toBe(1)
  })

  it('has nothing more to save once the item is handed in', async () => {
    service.respond = () => json({ code: 'handed_in', message: 'You have handed it in.' }, 409)
    const keeper = made(['edits', 'focus'])
    keeper.meet(kept('', 0) as never)
    keeper.note('blur')
    await vi.advanceTimersByTimeAsync(LONG_MS)
    keeper.note('focus')
    await vi.advanceTimersByTimeAsync(LONG_MS)
    expect(sent()).toHaveLength(1)
    expect(await keeper.flush()).toBe(true)
  })

  it('matters more than how it came about: edits that are refused are left out', async () => {
    service.respond = async request => {
      const body = (await request.clone().json()) as { edits: unknown[]; sequence: number }
      return body.edits.length > 0
        ? json({ code: 'invalid', message: 'Too many.' }, 422)
        : json({ revision: body.sequence })
    }
    const keeper = made()
    keeper.meet(kept('', 0) as never)
    keeper.change('start!', typed('!', 5))
    await vi.advanceTimersByTimeAsync(LONG_MS)
    expect(sent().at(-1)).toMatchObject({ source: 'start!', edits: [] })
    expect(keeper.work.status).toBe('saved')
  })

  it('is saved sooner when little time is left', async () => {
    service.respond = () => json({ revision: 1 })
    const keeper = made(['edits'], 5_000)
    keeper.meet(kept('', 0) as never)
    keeper.change('start!', typed('!', 5))
    await vi.advanceTimersByTimeAsync(500)
    expect(sent()).toHaveLength(1)
  })

  it('is flushed at once when the page asks', async () => {
    service.respond = () => json({ revision: 1 })
    const keeper = made()
    keeper.meet(kept('', 0) as never)
    keeper.change('start!', typed('!', 5))
    expect(await keeper.flush()).toBe(true)
    expect(sent()).toHaveLength(1)
  })
})

describe('what is noticed', () => {
  it('is only what the assessment records', async () => {
    service.respond = () => json({ revision: 1 })
    const silent = made(['edits'])
    silent.note('paste', 100)
    silent.note('blur')
    expect(silent.unsaved).toBe(false)
    const keeper = made(['pastes', 'focus'])
    keeper.meet(kept('', 0) as never)
    keeper.change('startabc', { edits: [{ from: 5, to: 5, text: 'abc' }], pasted: 3 })
    keeper.note('blur')
    await vi.advanceTimersByTimeAsync(LONG_MS)
    expect(sent().at(-1)).toMatchObject({
      edits: [],
      signals: [{ kind: 'paste', size: 3 }, { kind: 'blur' }],
    })
  })
})
