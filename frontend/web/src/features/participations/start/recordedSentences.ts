import type { Participation } from '../requests'

/** What is recorded while a candidate works, as they read it before the start. */
export const RECORDED_SENTENCES: Record<Participation['recorded'][number], string> = {
  edits:
    'Every change you make in the editor and its time, so that the team can play back how you wrote an answer.',
  pastes: 'When you paste into an answer or a snippet, and how many characters.',
  focus:
    'When you leave this page or switch to another window while an item is open, and when you come back. What you do elsewhere is not recorded.',
  devices: 'When you continue on another device, and the name of its browser.',
}
