import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { json, service } from '@/shared/testing/browser'
import type { LineRange } from '@/shared/ui/lineRanges'

const { MarksAutosave } = await import('./MarksAutosave')

const LONG_MS = 30_000
const DIGEST = 'd'.repeat(64)
let saved: unknown[] = []
let news = 0
const made = () =>
  new MarksAutosave({
    participation: 'p',
    position: 4,
    onNews: () => {
      news += 1
    },
  })
const marked = (...lines: LineRange[]) => ({ source: 'x', digest: DIGEST, submission_id: null, lines })
const sent = () => service.requests.map(each => (each.body as { lines: LineRange[] }).lines)
const offline = () => Promise.reject(new TypeError('gone'))

beforeEach(() => {
  vi.useFakeTimers()
  localStorage.clear()
  service.requests.length = 0
  service.respond = () => json({ position: 4 })
  saved = []
  news = 0
})
afterEach(() => vi.useRealTimers())

describe('lines that are marked', () => {
  it('are sent at once, and no longer stored in this browser', async () => {
    const marks = made()
    marks.onSaved = opened => saved.push(opened)
    marks.meet(null)
    marks.mark(DIGEST, [[1, 2]])
    expect(marks.linesFor(DIGEST)).toEqual([[1, 2]])
    expect(marks.unsaved).toBe(true)
    await vi.advanceTimersByTimeAsync(10)
    expect(sent()).toEqual([[[1, 2]]])
    expect([marks.unsaved, saved.length, made().unsaved]).toEqual([false, 1, false])
  })

  it('stay marked once they are saved, and the next ones build on them', async () => {
    const marks = made()
    marks.meet(null)
    marks.mark(DIGEST, [[4, 5]])
    await vi.advanceTimersByTimeAsync(10)
    expect([marks.unsaved, marks.linesFor(DIGEST)]).toEqual([false, [[4, 5]]])

    service.respond = offline
    marks.mark(DIGEST, [[5, 5]])
    await vi.advanceTimersByTimeAsync(10)
    vi.clearAllTimers()
    const after = made()
    after.meet(marked([4, 5]))
    expect(after.linesFor(DIGEST)).toEqual([[5, 5]])
  })

  it('survive a reload while there is no connection, and are sent when it is back', async () => {
    service.respond = offline
    const before = made()
    before.meet(null)
    before.mark(DIGEST, [[1, 2]])
    await vi.advanceTimersByTimeAsync(10)
    expect(before.work.status).toBe('offline')
    vi.clearAllTimers()

    const after = made()
    expect(after.linesFor(DIGEST)).toEqual([[1, 2]])
    expect(after.linesFor('e'.repeat(64))).toBeUndefined()
    service.respond = () => json({ position: 4 })
    service.requests.length = 0
    after.meet(null)
    const flushed = after.flush()
    await vi.advanceTimersByTimeAsync(100)
    expect(await flushed).toBe(true)
    expect([sent(), after.unsaved]).toEqual([[[[1, 2]]], false])
  })

  it('are compared with the service first if nobody has opened the question since the reload', async () => {
    service.respond = offline
    const before = made()
    before.meet(null)
    before.mark(DIGEST, [[1, 2]])
    await vi.advanceTimersByTimeAsync(10)
    vi.clearAllTimers()
    const after = made()
    expect(await after.flush()).toBe(false)
    service.respond = () => json({ position: 4, question: { about: { marked: null } } })
    service.requests.length = 0
    after.look()
    await vi.advanceTimersByTimeAsync(10)
    expect(service.requests.map(each => each.method)).toEqual(['POST', 'PUT'])
    expect(after.unsaved).toBe(false)
  })

  it('are sent again by themselves while the page is open', async () => {
    service.respond = offline
    const marks = made()
    marks.meet(null)
    marks.mark(DIGEST, [[3, 3]])
    await vi.advanceTimersByTimeAsync(10)
    service.respond = () => json({ position: 4 })
    await vi.advanceTimersByTimeAsync(LONG_MS)
    expect(marks.unsaved).toBe(false)
  })

  it('are sent in the order of marking, and only the last ones stay', async () => {
    let answer: (response: Response) => void = () => undefined
    service.respond = () => new Promise(done => (answer = done))
    const marks = made()
    marks.meet(null)
    marks.mark(DIGEST, [[1, 1]])
    marks.mark(DIGEST, [[1, 2]])
    await vi.advanceTimersByTimeAsync(10)
    expect(sent()).toEqual([[[1, 1]]])
    service.respond = () => json({ position: 4 })
    answer(json({ position: 4 }))
    await vi.advanceTimersByTimeAsync(10)
    expect(sent()).toEqual([[[1, 1]], [[1, 2]]])
    expect(marks.unsaved).toBe(false)
  })

  it('give way to lines that were marked on another device since then', async () => {
    service.respond = offline
    const before = made()
    before.meet(marked([1, 1]))
    before.mark(DIGEST, [[5, 6]])
    await vi.advanceTimersByTimeAsync(10)
    vi.clearAllTimers()
    const after = made()
    service.requests.length = 0
    after.meet(marked([8, 9]))
    await vi.advanceTimersByTimeAsync(LONG_MS)
    expect([after.unsaved, after.linesFor(DIGEST), sent()]).toEqual([false, [[8, 9]], []])
  })

  it('are not sent again if they had arrived and only the reply was lost', async () => {
    service.respond = offline
    const before = made()
    before.meet(null)
    before.mark(DIGEST, [[5, 6]])
    await vi.advanceTimersByTimeAsync(10)
    vi.clearAllTimers()
    const after = made()
    service.requests.length = 0
    after.meet(marked([5, 6]))
    expect([after.unsaved, sent()]).toEqual([false, []])
  })

  it('are sent if the service has earlier lines of this browser whose reply was lost', async () => {
    service.respond = offline
    const before = made()
    before.meet(null)
    before.mark(DIGEST, [[5, 6]])
    await vi.advanceTimersByTimeAsync(10)
    before.mark(DIGEST, [[5, 8]])
    await vi.advanceTimersByTimeAsync(10)
    vi.clearAllTimers()
    const after = made()
    service.respond = () => json({ position: 4 })
    service.requests.length = 0
    after.meet(marked([5, 6]))
    await vi.advanceTimersByTimeAsync(10)
    expect([after.unsaved, sent()]).toEqual([false, [[[5, 8]]]])
  })

  it('are dropped with an error if the code has changed', async () => {
    service.respond = () => json({ code: 'code_changed', message: 'Your code has changed.' }, 409)
    const marks = made()
    marks.meet(null)
    marks.mark(DIGEST, [[1, 1]])
    await vi.advanceTimersByTimeAsync(10)
    expect([marks.unsaved, marks.work.error?.message]).toEqual([false, 'Your code has changed.'])
    expect(made().unsaved).toBe(false)
  })

  it('are held in this browser once another device has taken over', async () => {
    service.respond = () => json({ code: 'taken_over', message: 'Continued elsewhere.' }, 409)
    const marks = made()
    marks.meet(null)
    marks.mark(DIGEST, [[1, 1]])
    await vi.advanceTimersByTimeAsync(LONG_MS)
    expect([marks.work.status, news, sent().length, made().unsaved]).toEqual(['held', 1, 1, true])
  })
})
