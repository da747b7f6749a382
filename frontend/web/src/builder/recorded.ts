/** What can be recorded while somebody works, each with the sentence that the candidate reads before the start. */
import type { Recorded } from './form'

export const HABITS: Record<Recorded, { name: string; sentence: string }> = {
  edits: {
    name: 'Edits',
    sentence: 'Every change of your code is kept, with its time. The team can play it back.',
  },
  pastes: {
    name: 'Pastes',
    sentence: 'When you paste into the editor, the size of the text and the time are noted.',
  },
  focus: {
    name: 'Focus',
    sentence:
      'When you leave this page or come back to it, the time is noted. Nothing is seen of where you go.',
  },
  devices: {
    name: 'Devices',
    sentence:
      'When you go on in another browser or on another device, that is noted, with the browser’s name.',
  },
}

export const RECORDED = Object.keys(HABITS) as Recorded[]
