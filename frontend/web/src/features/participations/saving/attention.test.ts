import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { describeClosedTime, watchAttention } from './attention'

class Page extends EventTarget {
  visibilityState = 'visible'
  focused = true
  hasFocus = () => this.focused
}

let noted: string[] = []
let page = new Page()
let shell = new EventTarget()
let stop: (() => void) | undefined

beforeEach(() => {
  vi.useFakeTimers()
  const kept = new Map<string, string>()
  noted = []
  page = new Page()
  shell = new EventTarget()
  vi.stubGlobal('document', page)
  vi.stubGlobal('window', shell)
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  })
  stop = watchAttention((kind, detail) => noted.push(`${kind} ${detail}`.trim()))
})

afterEach(() => {
  stop?.()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const change = (to: string) => {
  page.visibilityState = to
  page.dispatchEvent(new Event('visibilitychange'))
}
const focus = (to: boolean) => {
  page.focused = to
  shell.dispatchEvent(new Event(to ? 'focus' : 'blur'))
  vi.advanceTimersByTime(1000)
}

test('a reload is no leaving', () => {
  shell.dispatchEvent(new Event('pagehide'))
  change('hidden')
  expect(noted).toEqual([])
  vi.advanceTimersByTime(2000)
  expect(describeClosedTime()).toBe('')
})

test('a page that was closed for longer is told of when it is opened again', () => {
  shell.dispatchEvent(new Event('pagehide'))
  vi.advanceTimersByTime(34_000)
  expect([describeClosedTime(), describeClosedTime()]).toEqual(['page closed for 34 s', ''])
})

test('a window beside the test is seen', () => {
  focus(false)
  focus(true)
  expect(noted).toEqual(['blur another window in front', 'focus'])
})

test('another tab is one leaving, not two', () => {
  page.focused = false
  shell.dispatchEvent(new Event('blur'))
  change('hidden')
  vi.advanceTimersByTime(1000)
  change('visible')
  focus(true)
  expect(noted).toEqual(['blur tab hidden', 'focus'])
})
