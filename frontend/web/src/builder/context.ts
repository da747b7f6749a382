/** The plan at work, for all parts of its page. */
import { createContext, useContext } from 'react'
import type { AtWork } from './usePlan'

export const PlanContext = createContext<AtWork | null>(null)

export function useWork(): AtWork {
  const work = useContext(PlanContext)
  if (!work) throw new Error('a part of the builder stands outside of it')
  return work
}
