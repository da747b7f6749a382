/** What can be recorded while a candidate works, each with the sentence that the candidate reads before the start. */
import { RECORDED_SENTENCES } from '@/features/participations'
import type { Recorded } from './form'

export const RECORDED_LABELS: Record<Recorded, { name: string; sentence: string }> = {
  edits: { name: 'Edits', sentence: RECORDED_SENTENCES.edits },
  pastes: { name: 'Pastes', sentence: RECORDED_SENTENCES.pastes },
  focus: { name: 'Leaving the page', sentence: RECORDED_SENTENCES.focus },
  devices: { name: 'Device changes', sentence: RECORDED_SENTENCES.devices },
}

export const RECORDED = Object.keys(RECORDED_LABELS) as Recorded[]
