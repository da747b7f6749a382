import { List } from '@mantine/core'
import type { Participation } from '../api/taking'

const SENTENCES: Record<Participation['recorded'][number], string> = {
  edits:
    'Every change that you make in the editor and when, so that the writing of an answer can be played back.',
  pastes: 'That something was pasted into an answer or a snippet, and how many characters it had.',
  focus:
    'When you leave this page and come back to it while an item is open. What you do elsewhere is not seen.',
  devices: 'That you go on on another device, with the name of its browser.',
}

interface Props {
  recorded: Participation['recorded']
  days?: number
}

/** What the team learns besides the answers, in plain sentences. */
export function Recorded({ recorded, days }: Props) {
  return (
    <List spacing={6}>
      <List.Item>Your name, what you write and send, and when.</List.Item>
      {recorded.map(each => (
        <List.Item key={each}>{SENTENCES[each]}</List.Item>
      ))}
      <List.Item>No camera, no microphone, nothing of your screen.</List.Item>
      {days !== undefined && (
        <List.Item>
          It is kept for {days} {days === 1 ? 'day' : 'days'} after the end, then erased.
        </List.Item>
      )}
    </List>
  )
}
