/** What each verdict means, in the words of the service. */
import type { Schemas } from '../api/client'

export type VerdictName = NonNullable<Schemas['SubmissionCard']['verdict']>

export const VERDICTS: Record<VerdictName, { name: string; told: string }> = {
  AC: { name: 'Accepted', told: 'Every test passed.' },
  WA: { name: 'Wrong answer', told: 'It ran, and at least one test did not hold.' },
  RE: { name: 'Runtime error', told: 'It raised an exception or died.' },
  TLE: { name: 'Time limit', told: 'It took more time than a judging has.' },
  MLE: { name: 'Memory limit', told: 'It took more memory than a judging has.' },
  OLE: { name: 'Output limit', told: 'It printed more than a judging keeps.' },
  CE: {
    name: 'Does not compile',
    told: 'Python could not read it, or a name that the challenge asks for is missing.',
  },
  RV: { name: 'Not allowed', told: 'It uses something that this challenge forbids.' },
  JE: { name: 'Judge error', told: 'Something broke on our side. It does not count; send it again.' },
}
