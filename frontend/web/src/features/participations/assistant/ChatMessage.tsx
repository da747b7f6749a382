import { Text } from '@mantine/core'
import type { Schemas } from '@/api/client'
import { CommentText } from '@/shared/markdown/Markdown'
import css from './Assistant.module.css'

type Message = Schemas['MessageView']

interface Props {
  message: Pick<Message, 'question' | 'reply' | 'state' | 'failure'>
  /** Who asked: “You”, or the candidate. */
  who: string
  /** Shown beside the name, such as the time. */
  when?: string
}

const NOTES: Partial<Record<Message['state'], string>> = {
  cut: 'The reply was cut off at the length limit.',
}

/** A question and its reply. */
export function ChatMessage({ message, who, when }: Props) {
  const note = message.failure ?? NOTES[message.state]
  return (
    <>
      <div className={css.asked}>
        <p className={css.who}>
          {who}
          {when && <span> · {when}</span>}
        </p>
        <p className={css.question}>{message.question}</p>
      </div>
      <div className={css.reply} aria-busy={message.state === 'running'}>
        <p className={css.who}>Assistant</p>
        {message.reply && <CommentText source={message.reply} />}
        {message.state === 'running' && !message.reply && <p className={css.waiting}>Thinking…</p>}
        {note && (
          <Text size="sm" c={message.state === 'failed' ? 'var(--g-bad)' : 'dimmed'} mt={4}>
            {note}
          </Text>
        )}
      </div>
    </>
  )
}
