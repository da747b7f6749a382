/** Messages about a judging for the author of the answer. */
import type { Schemas } from '@/api/client'
import { formatOrdinal } from '@/shared/format/numbers'
import { VERDICTS } from '@/shared/verdicts'
import type { Judging, Test } from './useJudging'

type Said = Pick<Schemas['SubmissionView'], 'verdict' | 'message' | 'compile_error'>

// The prefix of the grader's message for a test that was not run.
const NOT_RUN = 'not run: '
export const hasRun = ({ message }: Test) => !message.startsWith(NOT_RUN)

/** The message below a failed test. Internal errors of the judge are for operators, so the author gets a general text. */
export function messageOf({ verdict, message, title, line }: Test): string {
  const { name, description } = VERDICTS[verdict]
  const text = verdict === 'JE' ? description : message === title ? '' : message
  const named = line == null || new RegExp(`\\bline ${line}\\b`).test(text)
  const whole = [text, named ? '' : `(line ${line})`].filter(Boolean).join(' ')
  return verdict === 'WA' ? whole : [`${name}:`, whole].join(' ').trim()
}

/** How many tests were not run, and why; empty if the compile error explains it. */
export function notRun(tests: Test[]): string {
  const left = tests.filter(test => !hasRun(test) && test.verdict !== 'CE')
  if (left.length === 0) return ''
  const reasons = new Set(left.map(each => each.message.slice(NOT_RUN.length).replace(/\.$/, '')))
  const many = left.length === 1 ? '1 test was' : `${left.length} tests were`
  return `${many} not run: ${[...reasons].join('; ')}.`
}

/** The message about the whole answer, beside its verdict. */
export function summarize({ verdict, message, compile_error }: Said): string | undefined {
  const description = verdict ? VERDICTS[verdict].description : undefined
  return verdict === 'JE' || compile_error ? description : message || description
}

/** Why the submission is waiting, or its progress, in a few words. */
export function queueMessage({ phase, place, tests, total, device }: Judging): string {
  if (phase === 'judging') return total ? `${tests.length} of ${total} tests` : 'starting'
  if (place?.reason) {
    // A user who chose a GPU can switch to a CPU instead.
    const machine = device === 'cuda' ? 'machine with a GPU' : 'machine'
    return `No ${machine} is available right now. Your code is saved and will run as soon as one is available.`
  }
  if (place?.position && place.position > 1)
    return `${formatOrdinal(place.position)} in the queue, about ${Math.ceil(place.expected_wait_s ?? 0)} s`
  return ''
}
