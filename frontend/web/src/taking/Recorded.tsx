import { List } from '@mantine/core'
import type { Participation } from '../api/taking'
import { SENTENCES } from './sentences'

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
