import type { ReactNode } from 'react'
import type { Made } from './requests'

export const NO_MAIL = 'This site does not send email. Send each candidate their own link.'

export interface InviteFormProps {
  days: number
  /** The field for how long the invitation is valid; it is part of the form's footer. */
  until: ReactNode
  done: (made: Made[]) => void
}
