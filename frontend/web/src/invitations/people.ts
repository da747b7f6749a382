/** Reading people from what was pasted: a person a line, as mail programs and spreadsheets write them. */
export interface Person {
  id: number
  email: string
  name: string
  extra: number
}

/** So many fit into the form; more come as a file. */
export const MOST = 100

let last = 0
export const nobody = (): Person => ({ id: ++last, email: '', name: '', extra: 0 })

/** The people of a pasted text: `Eve <eve@…>`, or cells between tabs, semicolons or commas with the address in one of them. */
export function peopleIn(text: string): Person[] {
  const lines = text.split(/\r?\n/).map(line => line.trim())
  return lines.filter(line => line.includes('@')).map(personIn)
}

function personIn(line: string): Person {
  const written = /^"?([^"<]*?)"?\s*<([^<>\s]+@[^<>\s]+)>[,;]?$/.exec(line)
  if (written) return { ...nobody(), name: written[1] ?? '', email: written[2] ?? '' }
  const cells = line.split(/[\t;,]/).map(cell => cell.trim().replace(/^"|"$/g, ''))
  const email = cells.find(cell => cell.includes('@')) ?? ''
  const rest = cells.filter(cell => cell !== email && cell !== '')
  const minutes = rest.find(cell => /^\d{1,4}$/.test(cell))
  const name = rest.find(cell => cell !== minutes) ?? ''
  return { ...nobody(), email, name, extra: Math.min(Number(minutes ?? 0), 1440) }
}
