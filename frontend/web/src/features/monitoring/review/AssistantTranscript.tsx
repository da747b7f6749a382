import { Blockquote, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ChatMessage } from '@/features/participations'
import { pluralize } from '@/shared/format/numbers'
import { Loaded } from '@/shared/ui/QueryStates'
import { formatClockTime } from '../labels'
import { type Participation, type Person, transcript } from '../requests'
import css from './CandidateReport.module.css'

/** What the candidate asked the assistant, item by item, and what they said about one of their own. */
export function AssistantTranscript({ of, found }: { of: Person; found: Participation }) {
  const query = useQuery(transcript(of, found.finished_at === null))
  return (
    <Loaded query={query}>
      {({ messages, declaration, tokens }) => (
        <>
          {declaration && (
            <>
              <Text size="sm" c="dimmed">
                {declaration.text
                  ? 'Sections of this assessment allow an assistant of the candidate’s own. The candidate said about it:'
                  : 'Sections of this assessment allow an assistant of the candidate’s own. The candidate has said nothing about it yet.'}
              </Text>
              {declaration.text && (
                <Blockquote color="indigo" p="sm" my="sm" className={css.declared}>
                  {declaration.text}
                </Blockquote>
              )}
            </>
          )}
          {messages.length > 0 && (
            <Text size="sm" c="dimmed" mb="xs">
              {pluralize(messages.length, 'message')} to the assistant that this site provides,{' '}
              {tokens.toLocaleString()} tokens. The playback of an item shows when each was asked.
            </Text>
          )}
          {messages.length === 0 && !declaration && (
            <Text size="sm" c="dimmed">
              The candidate did not ask the assistant.
            </Text>
          )}
          {found.items.map(item => {
            const own = messages.filter(each => each.position === item.position)
            if (own.length === 0) return null
            return (
              <details key={item.position} className={css.talk}>
                <summary>
                  {item.title}: {pluralize(own.length, 'message')}
                </summary>
                <ol>
                  {own.map(each => (
                    <li key={each.id}>
                      <ChatMessage message={each} who={found.name} when={formatClockTime(each.asked_at)} />
                    </li>
                  ))}
                </ol>
              </details>
            )
          })}
        </>
      )}
    </Loaded>
  )
}
