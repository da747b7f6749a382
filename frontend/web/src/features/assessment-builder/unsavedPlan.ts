/** Keeps unsaved changes in this tab's storage, so that a reload loses nothing. */
import type { Form } from './plan/form'

export interface UnsavedPlan {
  /** The version and the plan that the unsaved changes are based on. */
  version: number
  base: Form | null
  form: Form
}

const place = (id: string) => `plan ${id}`

export function storeUnsavedPlan(id: string, work: UnsavedPlan | null) {
  try {
    if (work) sessionStorage.setItem(place(id), JSON.stringify(work))
    else sessionStorage.removeItem(place(id))
  } catch {
    // If the storage is full, the changes stay only in the page.
  }
}

export function readUnsavedPlan(id: string): UnsavedPlan | null {
  const found = sessionStorage.getItem(place(id))
  return found ? (JSON.parse(found) as UnsavedPlan) : null
}
