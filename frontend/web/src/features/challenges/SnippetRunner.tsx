import { Button, Loader, Text } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { IconPlayerPlay } from '@tabler/icons-react'
import { Suspense } from 'react'
import type { Schemas } from '@/api/client'
import type { EditorSettings, TextChange } from '@/features/editor'
import { LazyEditor } from '@/features/editor'
import type { Judging } from '@/features/judging'
import {
  ConnectionLost,
  queueMessage,
  judgingResultsStyles as results,
  SubmissionError,
} from '@/features/judging'
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
  const busy = state.phase === 'sending' || state.phase === 'queued' || state.phase === 'judging'
  const go = () => {
    if (!busy && !closed) onRun(snippet)
  }
  const change = (text: string, { pasted }: TextChange) => {
    setSnippet(text)
    if (pasted) onPaste?.(pasted)
  }
  return (
    <div className={css.pane}>
      <div className={css.editor}>
        <Suspense fallback={<Loader m="md" size="sm" />}>
          <LazyEditor
            label="Your snippet, Python"
            value={snippet}
            onChange={change}
            onRun={go}
            onSubmit={go}
            settings={settings}
            closed={closed}
          />
        </Suspense>
      </div>
      <div className={css.bar}>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlayerPlay size={15} />}
          loading={busy}
          disabled={closed}
          onClick={go}
        >
          Run snippet
        </Button>
        {busy && state.id && (
          <Button size="xs" variant="subtle" color="gray" onClick={() => state.id && onCancel(state.id)}>
            Cancel
          </Button>
        )}
        <Text size="xs" c="dimmed" role="status">
          {busy ? queueMessage(state) : 'Snippets are not judged.'}
        </Text>
      </div>
      {state.lost && <ConnectionLost />}
      {state.phase === 'refused' && state.error && <SubmissionError error={state.error} />}
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
