/** What can be recorded while somebody works, each with the sentence that the candidate reads before the start. */
import type { Recorded } from './form'

export const HABITS: Record<Recorded, { name: string; sentence: string }> = {
  edits: {
    name: 'Edits',
    sentence:
      'Every change that you make in the editor and when, so that the writing of an answer can be played back.',
  },
  pastes: {
    name: 'Pastes',
    sentence: 'That something was pasted into an answer or a snippet, and how many characters it had.',
  },
  focus: {
    name: 'Focus',
    sentence:
      'When you leave this page and come back to it while an item is open. What you do elsewhere is not seen.',
  },
  devices: {
    name: 'Devices',
    sentence: 'That you go on on another device, with the name of its browser.',
  },
}

export const RECORDED = Object.keys(HABITS) as Recorded[]
