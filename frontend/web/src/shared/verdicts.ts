/** The meaning of each verdict, in the service's words. */
import type { Schemas } from '@/api/client'

export type VerdictName = NonNullable<Schemas['SubmissionCard']['verdict']>

type Kind = Schemas['SubmissionCard']['kind']

/** What follows a result in a list, unless the submission was judged by all tests. */
export const KIND_NOTES: Record<Kind, string> = {
  run: ' (samples)',
  submit: '',
  scratch: ' (snippet)',
  compare: ' (own input)',
}

/** The result of a submission in a few words. An own input is compared with the reference, not accepted. */
export function outcomeName(kind: Kind, verdict: VerdictName): string {
  if (kind === 'compare' && verdict === 'AC') return 'Matches'
  if (kind === 'compare' && verdict === 'WA') return 'Differs'
  return VERDICTS[verdict].name
}

export const VERDICTS: Record<VerdictName, { name: string; description: string }> = {
  AC: { name: 'Accepted', description: 'All tests passed.' },
  WA: { name: 'Wrong answer', description: 'Your code ran, but some tests failed.' },
  RE: { name: 'Runtime error', description: 'Your code raised an exception or crashed.' },
  TLE: { name: 'Time limit exceeded', description: 'Your code took longer than the limit.' },
  MLE: { name: 'Memory limit exceeded', description: 'Your code used more memory than the limit.' },
  OLE: { name: 'Output limit exceeded', description: 'Your code printed more than the limit.' },
  CE: {
    name: 'Does not compile',
    description: 'Python could not compile your code, or a required name is missing.',
  },
  RV: { name: 'Not allowed', description: 'Your code uses something that this challenge does not allow.' },
  JE: {
    name: 'Judge error',
    description: 'The judge failed because of an error on our side. This does not count against the answer.',
  },
}
