import { Alert, Button, Group, Progress, Text, Textarea } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { ErrorMessage, Loaded } from '@/shared/ui/QueryStates'
import css from './Assistant.module.css'
import { ChatMessage } from './ChatMessage'
import { type Asked, useAssistant } from './useAssistant'

const LONGEST = 8000

interface Props {
  participationId: string
  position: number
  /** The code that is sent along; saves it first, so that the recording shows it at the right place. */
  code?: () => string
  /** Whether nothing can be asked any more. */
  closed: boolean
}

/** The conversation with the assistant that the site provides, and the form to ask it. */
export function AssistantChat({ participationId, position, code, closed }: Props) {
  const { query, ask, reply } = useAssistant(participationId, position)
  const [question, setQuestion] = useState('')
  const end = useRef<HTMLDivElement>(null)
  const count = query.data?.messages.length ?? 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: follows the conversation as it grows
  useEffect(() => {
    if (count > 0 || ask.isPending) end.current?.scrollIntoView({ block: 'nearest' })
  }, [count, reply, ask.isPending])
  const send = () => {
    const asked: Asked = { question: question.trim(), source: code?.() ?? '' }
    if (!asked.question || ask.isPending) return
    ask.mutate(asked, { onError: () => setQuestion(before => before || asked.question) })
    setQuestion('')
  }
  const again = (failed: string) => setQuestion(before => before || failed)
  return (
    <Loaded query={query}>
      {({ messages, budget }) => {
        const last = messages.at(-1)
        const streaming = reply === null ? undefined : ask.variables
        // The service lists the running question too, so show it once.
        const shown = streaming ? messages.filter(each => each.state !== 'running') : messages
        return (
          <div className={css.chat}>
            {messages.length === 0 && !streaming && <Introduction closed={closed} />}
            <ol className={css.messages} aria-label="Conversation">
              {shown.map(each => (
                <li key={each.id}>
                  <ChatMessage message={each} who="You" />
                </li>
              ))}
              {streaming && (
                <li>
                  <ChatMessage
                    who="You"
                    message={{
                      question: streaming.question,
                      reply: reply ?? '',
                      state: 'running',
                      failure: null,
                    }}
                  />
                </li>
              )}
            </ol>
            {ask.error && <ErrorMessage error={ask.error} />}
            {last?.state === 'failed' && !streaming && !closed && (
              <div>
                <Button size="xs" variant="default" onClick={() => again(last.question)}>
                  Ask again
                </Button>
              </div>
            )}
            {closed ? null : budget ? (
              <Writing
                question={question}
                onChange={setQuestion}
                onSend={send}
                busy={ask.isPending || last?.state === 'running'}
                budget={budget}
              />
            ) : (
              <Alert color="marigold" variant="light" title="The assistant is not available">
                This site has no assistant at the moment. Tell the team. Everything else works.
              </Alert>
            )}
            <div ref={end} />
          </div>
        )
      }}
    </Loaded>
  )
}

function Introduction({ closed }: { closed: boolean }) {
  if (closed) return <Text c="dimmed">You did not ask the assistant about this item.</Text>
  return (
    <Text c="dimmed">
      Ask about this task as you would ask an assistant at work. It sees the statement, your code and the
      results that you see; it does not know the hidden tests. Your team reads the whole conversation.
    </Text>
  )
}

interface WritingProps {
  question: string
  onChange: (question: string) => void
  onSend: () => void
  busy: boolean
  budget: { used: number; tokens: number }
}

function Writing({ question, onChange, onSend, busy, budget }: WritingProps) {
  const spent = budget.used >= budget.tokens
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSend()
  }
  const keys = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    onSend()
  }
  return (
    <form className={css.write} onSubmit={submit}>
      <Textarea
        aria-label="Question to the assistant"
        placeholder="Ask the assistant"
        autosize
        minRows={2}
        maxRows={8}
        maxLength={LONGEST}
        value={question}
        disabled={spent}
        onChange={event => onChange(event.currentTarget.value)}
        onKeyDown={keys}
      />
      <Group justify="space-between" align="center" mt="xs" gap="xs">
        <div className={css.budget}>
          <Progress
            className={css.meter}
            value={Math.min(100, (100 * budget.used) / budget.tokens)}
            aria-label="Tokens used"
          />
          <span>
            {budget.used.toLocaleString()} of {budget.tokens.toLocaleString()} tokens used
          </span>
        </div>
        <Button
          type="submit"
          size="xs"
          leftSection={<IconSend size={15} />}
          loading={busy}
          disabled={spent || !question.trim()}
        >
          Ask
        </Button>
      </Group>
      <Text size="xs" c="dimmed" mt={4}>
        {spent
          ? 'You have used all tokens of this assessment.'
          : 'Enter sends, Shift+Enter starts a new line. The statement, your code and the conversation are sent along and count.'}
      </Text>
    </form>
  )
}
