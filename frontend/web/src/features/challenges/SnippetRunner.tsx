import { Text } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { IconPlayerPlay } from '@tabler/icons-react'
import type { Schemas } from '@/api/client'
import type { EditorSettings, TextChange } from '@/features/editor'
import type { Judging } from '@/features/judging'
import { judgingResultsStyles as results } from '@/features/judging'
import { RunnableEditor } from './RunnableEditor'
import css from './SnippetRunner.module.css'

function suggested({ entries }: Schemas['ChallengeView']): string {
  const call = entries[0]?.signature.split('->')[0]?.trim() ?? 'your answer'
  return `# Runs after your answer, in the same file. Call ${call} here.
import torch

x = torch.arange(6.0).reshape(2, 3)
print(x.shape, x.mean())
`
}

interface Props {
  challenge: Schemas['ChallengeView']
  settings: EditorSettings
  /** The state of the last run. */
  state: Judging
  onRun: (snippet: string) => void
  onCancel: (id: string) => void
  /** Called with the number of characters pasted into the snippet. */
  onPaste?: (characters: number) => void
  /** The storage key of the snippet in this browser. */
  storageKey?: string
  /** Whether running is disabled. */
  closed?: boolean
}

/** The user's own snippet, run after the answer. It runs no tests and does not count. */
export function SnippetRunner(props: Props) {
  const { challenge, settings, state, onRun, onCancel, onPaste, storageKey, closed = false } = props
  const [snippet, setSnippet] = useLocalStorage({
    key: storageKey ?? `try:${challenge.slug}`,
    defaultValue: suggested(challenge),
    getInitialValueInEffect: false,
  })
  const change = (text: string, { pasted }: TextChange) => {
    setSnippet(text)
    if (pasted) onPaste?.(pasted)
  }
  return (
    <div className={css.pane}>
      <RunnableEditor
        label="Your snippet, Python"
        value={snippet}
        onChange={change}
        settings={settings}
        height={180}
        action="Run snippet"
        icon={<IconPlayerPlay size={15} />}
        state={state}
        onRun={() => onRun(snippet)}
        onCancel={onCancel}
        closed={closed}
        readOnly={closed}
        note="Snippets are not judged."
      />
      {state.end && <Output end={state.end} />}
    </div>
  )
}

function Output({ end }: { end: Schemas['SubmissionView'] }) {
  const error = end.compile_error
  const message = [error && `line ${error.line}: ${error.message}`, end.message].filter(Boolean).join('\n')
  return (
    <section aria-label="Snippet output">
      {end.status === 'cancelled' && (
        <Text size="sm" p="sm">
          Cancelled.
        </Text>
      )}
      {message && <pre className={`${results.out} ${css.message}`}>{message}</pre>}
      {end.output && <pre className={`${results.out} ${css.out}`}>{end.output}</pre>}
      {end.status === 'judged' && !end.output && !message && (
        <Text size="sm" c="dimmed" p="sm">
          No output.
        </Text>
      )}
      {end.output_truncated && (
        <Text size="xs" c="dimmed" px="sm">
          The output is cut off here.
        </Text>
      )}
    </section>
  )
}
