import { describe, expect, it } from 'vitest'
import {
  type Batch,
  doneAt,
  LONGEST_PAUSE,
  lastText,
  placeOf,
  textAfter,
  timelineOf,
  toRecording,
} from './recording'

const STARTER = 'def f(x):\n    ...\n'
const at = (second: number) => `2026-05-04T09:00:${String(second).padStart(2, '0')}Z`
const batch = (
  sequence: number,
  ...events: [t_ms: number, from: number, to: number, text: string][]
): Batch => ({
  sequence,
  at: at(sequence),
  events: events.map(([t_ms, from, to, text]) => ({ t_ms, from, to, text })),
})
const BEGUN = batch(1, [0, 0, STARTER.length, STARTER], [100, 14, 17, 'r'], [200, 15, 15, 'eturn x'])

describe('the text', () => {
  it('is put together edit by edit', () => {
    const recording = toRecording(STARTER, [BEGUN])
    expect([0, 1, 2, 3].map(count => textAfter(recording, count))).toEqual([
      '',
      STARTER,
      'def f(x):\n    r\n',
      'def f(x):\n    return x\n',
    ])
    expect(recording.torn).toBe(false)
  })

  it('begins with the starter if no edit puts it there', () => {
    expect(lastText(toRecording('ab', [batch(1, [0, 1, 1, 'X'])]))).toBe('aXb')
    expect(lastText(toRecording('ab', [batch(1, [0, 0, 2, 'X'])]))).toBe('X')
  })

  it('begins with the starter of then, even if that is another one now', () => {
    expect(lastText(toRecording('something much longer than it was', [BEGUN]))).toBe(
      'def f(x):\n    return x\n',
    )
  })

  it('comes from batches in their order, however they arrive', () => {
    const more = batch(2, [300, 0, 0, '# π 𝜏\n'], [400, 2, 3, 'tau'], [500, 6, 8, ''])
    expect(lastText(toRecording(STARTER, [more, BEGUN]))).toBe('# tau \ndef f(x):\n    return x\n')
  })

  it('is the same from every snapshot on, for thousands of edits', () => {
    const letters = Array.from({ length: 1000 }, (_, n): [number, number, number, string] =>
      n % 7 === 6 ? [n, 0, 2, ''] : [n, n % 3, n % 3, String.fromCharCode(97 + (n % 26))],
    )
    const recording = toRecording('', [batch(1, ...letters)])
    let text = ''
    letters.forEach(([, from, to, put], place) => {
      text = text.slice(0, from) + put + text.slice(to)
      expect(textAfter(recording, place + 1)).toBe(text)
    })
  })

  it('tells that something is missing', () => {
    expect(toRecording(STARTER, [BEGUN, batch(3, [900, 0, 0, 'x'])]).torn).toBe(true)
    expect(toRecording(STARTER, [BEGUN, batch(2, [900, 70, 80, 'x'])]).torn).toBe(true)
    expect(toRecording(STARTER, [])).toEqual({ start: STARTER, steps: [], torn: false, snapshots: [STARTER] })
  })
})

describe('the line', () => {
  const paste = batch(2, [60_000, 0, 0, '#'.repeat(300)], [60_500, 0, 0, 'y'])
  const recording = toRecording(STARTER, [BEGUN, paste])
  const line = timelineOf(recording)

  it('cuts pauses short', () => {
    expect(line.places).toEqual([0, 100, 200, 200 + LONGEST_PAUSE, 700 + LONGEST_PAUSE])
    expect(line.pauses).toEqual([{ begins: 200, lasted: 59_800 }])
    expect(line.length).toBe(700 + LONGEST_PAUSE)
  })

  it('knows what is done where', () => {
    expect([-1, 0, 99, 100, line.length].map(place => doneAt(line, place))).toEqual([0, 1, 1, 2, 5])
  })

  it('never runs backwards when a clock does', () => {
    const back = toRecording('', [batch(1, [500, 0, 0, 'a'], [100, 0, 0, 'b'])])
    expect(timelineOf(back).places).toEqual([0, 0])
  })

  it('has a paste where its text came in, and anything else at the end of its batch', () => {
    expect(placeOf(recording, line, { kind: 'paste', at: at(2), size: 300 })).toBe(200 + LONGEST_PAUSE)
    expect(placeOf(recording, line, { kind: 'blur', at: at(1), size: 0 })).toBe(200)
    expect(placeOf(recording, line, { kind: 'blur', at: at(0), size: 0 })).toBeUndefined()
  })

  it('has what happened between two batches between them', () => {
    const later = (ms: number) => new Date(Date.parse(at(1)) + ms).toISOString()
    const place = (ms: number) => placeOf(recording, line, { kind: 'assistant', at: later(ms), size: 0 })
    expect(place(300)).toBe(500)
    expect(place(900_000)).toBe(line.length)
  })
})
