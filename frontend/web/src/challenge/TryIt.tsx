import { Button, Loader, Text } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { IconPlayerPlay } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import type { Schemas } from '../api/client'
import type { Change } from './changes'
import { Lost, Refused, waiting } from './Results'
import results from './Results.module.css'
import type { Settings } from './settings'
import css from './TryIt.module.css'
import type { Judging } from './useJudging'

const Editor = lazy(() => import('./Editor'))

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
  settings: Settings
  /** What became of the snippet that was run last. */
  state: Judging
  onRun: (snippet: string) => void
  onCancel: (id: string) => void
  /** So many characters were pasted into the snippet. */
  onPaste?: (characters: number) => void
  /** Where the snippet is kept in this browser. */
  keptAs?: string
  /** Nothing can be run any more. */
  closed?: boolean
}

/** A snippet of one's own, run after the answer; no test is judged and nothing is counted. */
export function TryIt(props: Props) {
  const { challenge, settings, state, onRun, onCancel, onPaste, keptAs, closed = false } = props
  const [snippet, setSnippet] = useLocalStorage({
    key: keptAs ?? `try:${challenge.slug}`,
    defaultValue: suggested(challenge),
    getInitialValueInEffect: false,
  })
  const busy = state.phase === 'sending' || state.phase === 'queued' || state.phase === 'judging'
  const go = () => {
    if (!busy && !closed) onRun(snippet)
  }
  const change = (text: string, { pasted }: Change) => {
    setSnippet(text)
    if (pasted) onPaste?.(pasted)
  }
  return (
    <div className={css.pane}>
      <div className={css.editor}>
        <Suspense fallback={<Loader m="md" size="sm" />}>
          <Editor
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
          Run the snippet
        </Button>
        {busy && state.id && (
          <Button size="xs" variant="subtle" color="gray" onClick={() => state.id && onCancel(state.id)}>
            Cancel
          </Button>
        )}
        <Text size="xs" c="dimmed" role="status">
          {busy ? waiting(state) : 'Nothing is judged here.'}
        </Text>
      </div>
      {state.lost && <Lost />}
      {state.phase === 'refused' && state.error && <Refused error={state.error} />}
      {state.end && <Output end={state.end} />}
    </div>
  )
}

function Output({ end }: { end: Schemas['SubmissionView'] }) {
  const error = end.compile_error
  const told = [error && `line ${error.line}: ${error.message}`, end.message].filter(Boolean).join('\n')
  return (
    <section aria-label="What it printed">
      {end.status === 'cancelled' && (
        <Text size="sm" p="sm">
          Cancelled.
        </Text>
      )}
      {told && <pre className={`${results.out} ${css.told}`}>{told}</pre>}
      {end.output && <pre className={`${results.out} ${css.out}`}>{end.output}</pre>}
      {end.status === 'judged' && !end.output && !told && (
        <Text size="sm" c="dimmed" p="sm">
          It printed nothing.
        </Text>
      )}
      {end.output_truncated && (
        <Text size="xs" c="dimmed" px="sm">
          There was more; this is the beginning.
        </Text>
      )}
    </section>
  )
}
