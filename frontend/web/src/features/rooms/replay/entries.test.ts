import { describe, expect, it } from 'vitest'
import { lastText } from '@/features/playback'
import { entriesOf } from './entries'
import { recordingOf } from './recordingOf'

const at = (second: number) => `2026-05-04T09:00:${String(second).padStart(2, '0')}Z`

describe('the transcript', () => {
  it('has events and notes in the order of their times', () => {
    const event = (id: string, second: number) => ({ id, at: at(second), by: null, kind: 'joined' as const })
    const note = { id: 'note', at: at(2), author: 'Ada', yours: true, text: 'Good.' }
    const entries = entriesOf([event('one', 1), event('three', 3)], [note])
    expect(entries.map(each => each.id)).toEqual(['one', 'note', 'three'])
    expect(entries[1]?.note).toBe(note)
  })
})

describe('the recording', () => {
  const step = (second: number, from: number, to: number, text: string) => ({
    at: at(second),
    by: null,
    from,
    to,
    text,
  })

  it('begins with an empty text and keeps the time of each edit', () => {
    const recording = recordingOf([
      step(1, 0, 0, 'def f():\n'),
      step(4, 4, 5, 'g'),
      step(9, 0, 3, 'async def'),
    ])
    expect(recording.start).toBe('')
    expect(recording.torn).toBe(false)
    expect(recording.steps.map(each => each.t_ms)).toEqual([0, 3000, 8000])
    expect(lastText(recording)).toBe('async def g():\n')
  })

  it('is empty without edits', () => {
    expect(recordingOf([]).steps).toEqual([])
  })
})
