import type { Participation } from '../api/taking'

/** What is recorded while somebody works, as the candidate reads it before the start. */
export const SENTENCES: Record<Participation['recorded'][number], string> = {
  edits:
    'Every change that you make in the editor and when, so that the writing of an answer can be played back.',
  pastes: 'That something was pasted into an answer or a snippet, and how many characters it had.',
  focus:
    'When you leave this page and come back to it while an item is open. What you do elsewhere is not seen.',
  devices: 'That you go on on another device, with the name of its browser.',
}
