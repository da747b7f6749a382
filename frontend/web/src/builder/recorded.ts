/** What can be recorded while somebody works, each with the sentence that the candidate reads before the start. */
import { SENTENCES } from '../taking/sentences'
import type { Recorded } from './form'

export const HABITS: Record<Recorded, { name: string; sentence: string }> = {
  edits: { name: 'Edits', sentence: SENTENCES.edits },
  pastes: { name: 'Pastes', sentence: SENTENCES.pastes },
  focus: { name: 'Focus', sentence: SENTENCES.focus },
  devices: { name: 'Devices', sentence: SENTENCES.devices },
}

export const RECORDED = Object.keys(HABITS) as Recorded[]
