import { Alert, Badge, Button, Text } from '@mantine/core'
import type { Schemas } from '@/api/client'
import { ApiError } from '@/api/client'
import { pluralize } from '@/shared/format/numbers'
import { Words } from '@/shared/markdown/Markdown'
import { RetryCountdown } from '@/shared/ui/RetryCountdown'
import { VERDICTS } from '@/shared/verdicts'
import { Exhibit } from './exhibits/Exhibit'
import css from './JudgingResults.module.css'
import { hasRun, messageOf, notRun, queueMessage, summarize } from './messages'
import type { Judging, Test } from './useJudging'

interface Props {
  state: Judging
  onCancel?: (id: string) => void
  /** Whether the reader can submit this answer again. */
  canSubmit?: boolean
}

/** Everything known about a judging, while it runs and after it has ended. */
export function JudgingResults({ state, onCancel, canSubmit = false }: Props) {
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
        <Head end={state.end} canSubmit={canSubmit} />
      ) : (
        <Going state={state} {...(onCancel && { onCancel })} />
      )}
      {state.end?.compile_error && <CompileError error={state.end.compile_error} />}
      {state.end?.output && <pre className={`${css.out} ${css.whole}`}>{state.end.output}</pre>}
      <TestResults tests={state.tests} />
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

function Head({ end, canSubmit }: { end: Schemas['SubmissionView']; canSubmit: boolean }) {
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
      <span className={css.soft}>
        {end.kind === 'run' ? 'samples' : `${end.score} of ${pluralize(end.max_score, 'point')}`}
        {end.device === 'cuda' && ' · on a GPU'}
        {end.cpu_s != null && ` · ${(1000 * end.cpu_s).toFixed(0)} ms CPU`}
        {end.memory_mb != null && ` · ${end.memory_mb.toFixed(0)} MB`}
      </span>
      <span className={css.soft}>
        {summarize(end)}
        {end.verdict === 'JE' && canSubmit && ' Submit it again.'}
      </span>
    </div>
  )
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

/** Failed tests come first: they are what the reader looks for. */
export function TestResults({ tests }: { tests: Test[] }) {
  const sorted = tests.filter(hasRun).sort((a, b) => Number(a.verdict === 'AC') - Number(b.verdict === 'AC'))
  const left = notRun(tests)
  return (
    <>
      <ul className={css.list}>
        {sorted.map(test => (
          <TestRow key={test.id} test={test} />
        ))}
      </ul>
      {left && <p className={css.left}>{left}</p>}
    </>
  )
}

const Exhibits = ({ test }: { test: Test }) =>
  test.exhibits.map(each => <Exhibit key={each.title} exhibit={each} />)

function TestRow({ test }: { test: Test }) {
  const good = test.verdict === 'AC'
  const message = good ? '' : messageOf(test)
  return (
    <li className={css.test}>
      <div className={css.row}>
        <span
          className={good ? css.good : css.bad}
          role="img"
          aria-label={good ? 'passed' : VERDICTS[test.verdict].name}
        >
          {good ? '✓' : '✗'}
        </span>
        <span>
          {good ? test.id : <Words source={test.title} />}{' '}
          {test.sample && (
            <Badge size="xs" variant="default" tt="none">
              Sample
            </Badge>
          )}
          {test.attested && (
            <Badge
              size="xs"
              variant="default"
              tt="none"
              title="This was measured inside the process that ran the code, so the judge could not check it independently."
            >
              Not independently checked
            </Badge>
          )}
        </span>
        <span className={css.soft}>{pluralize(test.points, 'point')}</span>
      </div>
      {message && <p className={css.message}>{message}</p>}
      {test.stdout && <pre className={css.out}>{test.stdout}</pre>}
      {good && test.exhibits.length > 0 ? (
        <details className={css.more}>
          <summary>Show output</summary>
          <Exhibits test={test} />
        </details>
      ) : (
        <Exhibits test={test} />
      )}
    </li>
  )
}
