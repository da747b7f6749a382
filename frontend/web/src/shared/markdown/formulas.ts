/** Finds a way to render the formulas of a text. KaTeX is loaded only if the build has not rendered all of them. */
import { renderMarkdown, type Tex } from './markdown'

export type Formulas = Record<string, string>

/** The key of a formula among the formulas of a text. */
export const formulaKey = (source: string, display: boolean) => (display ? `$$${source}` : `$${source}`)

const known = new Map<string, Promise<Tex>>()

/** Returns what renders the formulas of `source`. `address` is that of a file with formulas that the build has rendered. */
export function texFor(source: string, address = ''): Promise<Tex> {
  const key = address && `${address} ${source}`
  const found = known.get(key) ?? (address ? rendered(source, address) : loadKatex())
  known.set(key, found)
  // The next text tries again what failed, for example while the service restarts.
  found.catch(() => known.delete(key))
  return found
}

const loadKatex = () => import('./katex').then(({ renderTex }) => renderTex)

async function rendered(source: string, address: string): Promise<Tex> {
  const formulas: Formulas = await fetch(address)
    .then(answer => (answer.ok ? answer.json() : {}))
    .catch(() => ({}))
  let complete = true
  const tex: Tex = (formula, display) => {
    const html = formulas[formulaKey(formula, display)]
    complete &&= html !== undefined
    return html ?? ''
  }
  renderMarkdown(source, tex)
  return complete ? tex : loadKatex()
}
