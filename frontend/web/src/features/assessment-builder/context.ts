/** Provides the plan being edited to all parts of its page. */
import { createContext, useContext } from 'react'
import type { PlanEditing } from './usePlan'

export const PlanContext = createContext<PlanEditing | null>(null)

export function usePlanContext(): PlanEditing {
  const work = useContext(PlanContext)
  if (!work) throw new Error('usePlanContext must be used inside the builder')
  return work
}
