import { Alert, Button, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Schemas } from '@/api/client'
import { ApiError } from '@/api/client'
import { pluralize } from '@/shared/format/numbers'
import { RetryCountdown } from '@/shared/ui/RetryCountdown'
import { VERDICTS } from '@/shared/verdicts'
import css from './JudgingResults.module.css'
import { queueMessage, summarize } from './messages'
import { TestResults } from './TestResults'
import type { Judging } from './useJudging'

interface Props {
  state: Judging
  onCancel?: (id: string) => void
  /** Whether the reader can submit this answer again. */
  canSubmit?: boolean
  /** Whether the answer has been edited since it was sent. */
  edited?: boolean
  /** Shown below the verdict, in place of the figures beside it. */
  summary?: ReactNode
}

/** Everything known about a judging, while it runs and after it has ended. */
export function JudgingResults({ state, onCancel, canSubmit = false, edited, summary }: Props) {
  if (state.phase === 'idle')
    return (
      <Text c="dimmed" size="sm" p="md">
        “Run samples” runs the sample tests. “Submit” runs all tests. The results appear here.
      </Text>
    )
  if (state.phase === 'refused' && state.error) return <SubmissionError error={state.error} />
  return (
    <div aria-live="polite">
      {state.lost && <ConnectionLost />}
      {state.end ? (
        <Head end={state.end} canSubmit={canSubmit} brief={Boolean(summary)} />
      ) : (
        <Going state={state} {...(onCancel && { onCancel })} />
      )}
      {state.end && edited && <p className={css.edited}>Your code has changed since this result.</p>}
      {summary}
      {state.end?.compile_error && <CompileError error={state.end.compile_error} />}
      {state.end?.output && <pre className={`${css.out} ${css.whole}`}>{state.end.output}</pre>}
      <TestResults tests={state.tests} all={(state.end?.kind ?? state.kind) === 'run'} />
    </div>
  )
}

export function SubmissionError({ error }: { error: Error }) {
  return (
    <Alert color="red" variant="light" m="md" title="Something went wrong">
      {error.message}
      {error instanceof ApiError && error.fields.map(each => <div key={each.field}>{each.message}</div>)}
      <RetryCountdown error={error} />
    </Alert>
  )
}

/** Shown while the event stream is disconnected; it reconnects by itself. */
export function ConnectionLost() {
  return (
    <p className={css.lost} role="status">
      The connection was lost. Reconnecting. Your code was received and is still running.
    </p>
  )
}

function Going({ state, onCancel }: { state: Judging; onCancel?: (id: string) => void }) {
  const done = state.total ? state.tests.length / state.total : 0
  return (
    <>
      <div className={css.progress}>
        <div style={{ width: `${100 * done}%` }} />
      </div>
      <div className={css.head}>
        <span className={css.verdict}>{name(state)}</span>
        <span className={css.soft}>{queueMessage(state)}</span>
        {onCancel && state.id && (
          <Button
            size="compact-xs"
            variant="subtle"
            color="gray"
            onClick={() => state.id && onCancel(state.id)}
          >
            Cancel
          </Button>
        )}
      </div>
    </>
  )
}

function name({ phase, place }: Judging): string {
  if (phase === 'judging') return 'Judging'
  if (phase === 'sending') return 'Sending'
  return place?.reason ? 'Waiting for a machine' : 'Queued'
}

function Head(props: { end: Schemas['SubmissionView']; canSubmit: boolean; brief: boolean }) {
  const { end, canSubmit, brief } = props
  if (end.status === 'cancelled')
    return (
      <div className={css.head}>
        <span className={css.verdict}>Cancelled</span>
      </div>
    )
  const verdict = end.verdict ? VERDICTS[end.verdict] : undefined
  return (
    <div className={css.head}>
      <span className={css.verdict} data-good={end.verdict === 'AC'}>
        {verdict?.name ?? 'Judged'}
      </span>
      {!brief && <span className={css.soft}>{figures(end)}</span>}
      <span className={css.soft}>
        {summarize(end)}
        {end.verdict === 'JE' && canSubmit && ' Submit it again.'}
      </span>
    </div>
  )
}

function figures(end: Schemas['SubmissionView']): string {
  const passed = end.tests.filter(each => each.verdict === 'AC').length
  return [
    // Without tests: the reader may see only the verdict.
    end.tests.length > 0 &&
      `${passed} of ${pluralize(end.tests.length, end.kind === 'run' ? 'sample' : 'test')}`,
    end.device === 'cuda' && 'on a GPU',
    end.cpu_s != null && `${(1000 * end.cpu_s).toFixed(0)} ms CPU`,
    end.memory_mb != null && `${end.memory_mb.toFixed(0)} MB`,
  ]
    .filter(Boolean)
    .join(' · ')
}

function CompileError({ error }: { error: Schemas['CompileErrorView'] }) {
  return (
    <pre className={`${css.out} ${css.whole}`}>
      {error.line != null && `line ${error.line}: `}
      {error.message}
      {error.text && `\n    ${error.text.trimEnd()}`}
    </pre>
  )
}
