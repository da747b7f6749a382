import type { Schemas } from '@/api/client'
import { type Recording, toRecording } from '@/features/playback'

/** Converts the edits of an interview to a recording. Each edit is a batch of its own, so that its time is kept. */
export function recordingOf(steps: Schemas['ReplayStep'][]): Recording {
  const begun = Date.parse(steps[0]?.at ?? '')
  return toRecording(
    '',
    steps.map(({ at, from, to, text }, place) => ({
      sequence: place + 1,
      at,
      events: [{ t_ms: Date.parse(at) - begun, from, to, text }],
    })),
  )
}
