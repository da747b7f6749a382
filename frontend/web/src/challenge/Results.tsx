import { Alert, Badge, Button, Text } from '@mantine/core'
import type { Schemas } from '../api/client'
import { Refusal } from '../api/client'
import { Exhibit } from './Exhibit'
import css from './Results.module.css'
import type { Judging, Test } from './useJudging'
import { VERDICTS } from './verdicts'

/** Everything that is known of the judging, while it goes on and afterwards. */
export function Results({ state, onCancel }: { state: Judging; onCancel?: (id: string) => void }) {
  if (state.phase === 'idle')
    return (
      <Text c="dimmed" size="sm" p="md">
        Run judges the samples; Submit judges everything. What each test says appears here.
      </Text>
    )
  if (state.phase === 'refused' && state.error) return <Refused error={state.error} />
  return (
    <div aria-live="polite">
      {state.lost && <Lost />}
      {state.end ? <Head end={state.end} /> : <Going state={state} {...(onCancel && { onCancel })} />}
      {state.end?.compile_error && <CompileError error={state.end.compile_error} />}
      {state.end?.output && <pre className={`${css.out} ${css.whole}`}>{state.end.output}</pre>}
      <Tests tests={state.tests} />
    </div>
  )
}

export function Refused({ error }: { error: Error }) {
  return (
    <Alert color="red" variant="light" m="md" title="It was not taken">
      {error.message}
      {error instanceof Refusal && error.fields.map(each => <div key={each.field}>{each.message}</div>)}
    </Alert>
  )
}

/** The stream broke off; it is tried again by itself. */
export function Lost() {
  return (
    <p className={css.lost} role="status">
      The connection is lost; trying again. Your answer was taken and goes on being judged.
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
        <span className={css.soft}>{waiting(state)}</span>
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
  return place?.reason ? 'Waiting for a machine' : 'In the queue'
}

/** What is being waited for, in a few words. */
export function waiting({ phase, place, tests, total }: Judging): string {
  if (phase === 'judging') return total ? `${tests.length} of ${total} tests` : 'starting'
  if (place?.reason) return `Your answer is kept, and judged as soon as there is one. (${place.reason})`
  if (place?.position && place.position > 1)
    return `number ${place.position}, about ${Math.ceil(place.expected_wait_s ?? 0)} s`
  return ''
}

function Head({ end }: { end: Schemas['SubmissionView'] }) {
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
        {end.kind === 'run' ? 'samples' : `${end.score} of ${end.max_score} points`}
        {end.device === 'cuda' && ' · on a GPU'}
        {end.cpu_s != null && ` · ${(1000 * end.cpu_s).toFixed(0)} ms CPU`}
        {end.memory_mb != null && ` · ${end.memory_mb.toFixed(0)} MB`}
      </span>
      <span className={css.soft}>{(!end.compile_error && end.message) || verdict?.told}</span>
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

/** What failed comes first: that is what one looks for. */
export function Tests({ tests }: { tests: Test[] }) {
  const sorted = [...tests].sort((a, b) => Number(a.verdict === 'AC') - Number(b.verdict === 'AC'))
  return (
    <ul className={css.list}>
      {sorted.map(test => (
        <TestRow key={test.id} test={test} />
      ))}
    </ul>
  )
}

const Exhibits = ({ test }: { test: Test }) =>
  test.exhibits.map(each => <Exhibit key={each.title} exhibit={each} />)

function TestRow({ test }: { test: Test }) {
  const good = test.verdict === 'AC'
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
          {good ? test.id : test.title}{' '}
          {test.sample && (
            <Badge size="xs" variant="default">
              sample
            </Badge>
          )}
          {test.attested && (
            <Badge size="xs" variant="default" title="Rests on what was observed inside your own process">
              attested
            </Badge>
          )}
        </span>
        <span className={css.soft}>
          {test.points} {test.points === 1 ? 'point' : 'points'}
        </span>
      </div>
      {!good && (
        <p className={css.message}>
          {test.verdict !== 'WA' && `${VERDICTS[test.verdict].name}: `}
          {test.message}
          {test.line != null && ` (line ${test.line})`}
        </p>
      )}
      {test.stdout && <pre className={css.out}>{test.stdout}</pre>}
      {good && test.exhibits.length > 0 ? (
        <details className={css.more}>
          <summary>What it looks like</summary>
          <Exhibits test={test} />
        </details>
      ) : (
        <Exhibits test={test} />
      )}
    </li>
  )
}
