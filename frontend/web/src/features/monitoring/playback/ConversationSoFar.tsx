import { ChatMessage } from '@/features/participations'
import { playbackStyles as css } from '@/features/playback'
import { formatClockTime } from '../labels'
import type { Message } from '../requests'

/** The conversation with the assistant up to this point in the recording; the newest message is at the top. */
export function ConversationSoFar({ messages, name }: { messages: Message[]; name: string }) {
  return (
    <section className={css.beside} aria-label="Assistant, at this point in the recording">
      {messages.length === 0 && <p className={css.silent}>Nothing asked yet.</p>}
      {messages.toReversed().map(each => (
        <ChatMessage key={each.id} message={each} who={name} when={formatClockTime(each.asked_at)} />
      ))}
    </section>
  )
}
