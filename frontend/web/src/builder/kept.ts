/** Unsaved work, kept in this tab: a reload loses nothing. */
import type { Form } from './form'

export interface Kept {
  /** The version of the assessment, and its plan, that the work began with. */
  version: number
  base: Form | null
  form: Form
}

const place = (id: string) => `plan ${id}`

export function keep(id: string, work: Kept | null) {
  try {
    if (work) sessionStorage.setItem(place(id), JSON.stringify(work))
    else sessionStorage.removeItem(place(id))
  } catch {
    // A full store keeps nothing; the page itself still does.
  }
}

export function keptOf(id: string): Kept | null {
  const found = sessionStorage.getItem(place(id))
  return found ? (JSON.parse(found) as Kept) : null
}
