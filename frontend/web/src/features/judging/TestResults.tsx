import { Badge } from '@mantine/core'
import { pluralize } from '@/shared/format/numbers'
import { Words } from '@/shared/markdown/Markdown'
import { VERDICTS } from '@/shared/verdicts'
import { Exhibit } from './exhibits/Exhibit'
import css from './JudgingResults.module.css'
import { hasRun, messageOf, notRun } from './messages'
import { groupTests, type TestGroup } from './tests'
import type { Test } from './useJudging'

interface Props {
  tests: Test[]
  /** Whether passed tests are listed too. Otherwise one line says how many there are, and lists them on request. */
  all?: boolean
}

const STOPPED: Test['verdict'][] = ['RE', 'TLE', 'MLE', 'OLE']

/**
 * The tests by function. While tests arrive, rows are only added at the end, so that none moves: the line about the passed tests
 * comes first, and failed ones follow in the order of their arrival.
 */
export function TestResults({ tests, all = false }: Props) {
  const ran = tests.filter(hasRun)
  const left = notRun(tests)
  const groups = groupTests(ran)
  const failed = groups.filter(each => each.failed.length > 0)
  const passed = groups.filter(each => each.failed.length === 0)
  const count = ran.filter(each => each.verdict === 'AC').length
  return (
    <>
      {!all && count > 0 && (
        <details className={css.passed}>
          <summary>
            <span className={css.good} aria-hidden="true">
              ✓
            </span>{' '}
            {pluralize(count, 'test')} passed
          </summary>
          <Rows groups={passed} />
        </details>
      )}
      <Rows groups={all ? groups : failed} />
      {left && <p className={css.left}>{left}</p>}
    </>
  )
}

function Rows({ groups }: { groups: TestGroup[] }) {
  return (
    <ul className={css.list}>
      {groups.map(each => (
        <Row key={each.id} group={each} />
      ))}
    </ul>
  )
}

function Row({ group }: { group: TestGroup }) {
  const { cases, failed, name } = group
  const [first] = failed
  return (
    <li className={css.test}>
      <div className={css.row}>
        <span
          className={first ? css.bad : css.good}
          role="img"
          aria-label={first ? VERDICTS[first.verdict].name : 'passed'}
        >
          {first ? '✗' : '✓'}
        </span>
        <span>
          <span className={first && css.name}>{name}</span> <Marks group={group} />
        </span>
        {cases.length > 1 && (
          <span className={css.soft}>
            {first ? `${failed.length} of ${cases.length} cases failed` : `${cases.length} cases`}
          </span>
        )}
      </div>
      {first && <Reasons failed={failed} />}
      {(first ? failed : cases).map(each => (
        <Details key={each.id} test={each} />
      ))}
    </li>
  )
}

function Marks({ group: { cases } }: { group: TestGroup }) {
  return (
    <>
      {cases.some(each => each.sample) && (
        <Badge size="xs" variant="default" tt="none">
          Sample
        </Badge>
      )}
      {cases.some(each => each.attested) && (
        <Badge
          size="xs"
          variant="default"
          tt="none"
          title="This was measured inside the process that ran the code, so the judge could not check it independently."
        >
          Not independently checked
        </Badge>
      )}
    </>
  )
}

/**
 * What to revisit, written by the author of the test, and the message of each failed case; each text once. Authors write about
 * wrong results. If the code raised an error or reached a limit in every case, the cause is in the message, so the message comes
 * first.
 */
function Reasons({ failed }: { failed: Test[] }) {
  const hint = failed[0]?.title ?? ''
  const stopped = failed.every(each => STOPPED.includes(each.verdict))
  const messages = new Set(failed.map(messageOf).filter(message => message && message !== hint))
  const said = [...messages].map(message => (
    <p key={message} className={css.message}>
      {message}
    </p>
  ))
  return (
    <>
      {stopped && said}
      {hint && (
        <p className={css.hint}>
          {stopped && 'This test checks: '}
          <Words source={hint} />
        </p>
      )}
      {!stopped && said}
    </>
  )
}

/** What a sample printed, and the pictures that it drew; those of a passed one on request. */
function Details({ test }: { test: Test }) {
  const exhibits = test.exhibits.map(each => <Exhibit key={each.title} exhibit={each} />)
  return (
    <>
      {test.stdout && <pre className={css.out}>{test.stdout}</pre>}
      {exhibits.length > 0 && test.verdict === 'AC' ? (
        <details className={css.more}>
          <summary>Show output</summary>
          {exhibits}
        </details>
      ) : (
        exhibits
      )}
    </>
  )
}
