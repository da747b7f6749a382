import { List } from '@mantine/core'
import type { Participation } from '../requests'
import { RECORDED_SENTENCES } from './recordedSentences'

interface Props {
  recorded: Participation['recorded']
  /** Whether a section provides an assistant. */
  assistant: boolean
  days?: number
}

/** What the team learns besides the answers, in plain sentences. */
export function RecordingNotice({ recorded, assistant, days }: Props) {
  return (
    <List spacing={6}>
      <List.Item>Your name, what you write and submit, and when.</List.Item>
      {recorded.map(each => (
        <List.Item key={each}>{RECORDED_SENTENCES[each]}</List.Item>
      ))}
      {assistant && <List.Item>What you ask the assistant, its replies, and when.</List.Item>}
      <List.Item>
        Until you finish, hints and verdicts for these items are hidden everywhere else on this site. The team
        can see if you tried to open them.
      </List.Item>
      <List.Item>Not recorded: your camera, your microphone and your screen.</List.Item>
      {days !== undefined && (
        <List.Item>
          Your name, answers and recorded activity are deleted {days} {days === 1 ? 'day' : 'days'} after you
          finish.
        </List.Item>
      )}
    </List>
  )
}
