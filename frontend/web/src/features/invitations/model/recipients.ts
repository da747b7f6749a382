/** Parses pasted text into people, one per line, as mail programs and spreadsheets write them. */
export interface Recipient {
  id: number
  email: string
  name: string
  /** Minutes or a factor, as typed. */
  extra: string
}

/** The most people that fit into the form; longer lists need a file. */
export const MAX_RECIPIENTS = 100

let last = 0
export const emptyRecipient = (): Recipient => ({ id: ++last, email: '', name: '', extra: '' })

/** The people in a pasted text: `Eve <eve@…>`, or cells separated by tabs, semicolons or commas, one of which is the address. */
export function parseRecipients(text: string): Recipient[] {
  const lines = text.split(/\r?\n/).map(line => line.trim())
  return lines.filter(line => line.includes('@')).map(personIn)
}

function personIn(line: string): Recipient {
  const written = /^"?([^"<]*?)"?\s*<([^<>\s]+@[^<>\s]+)>[,;]?$/.exec(line)
  if (written) return { ...emptyRecipient(), name: written[1] ?? '', email: written[2] ?? '' }
  const cells = line.split(/[\t;,]/).map(cell => cell.trim().replace(/^"|"$/g, ''))
  const email = cells.find(cell => cell.includes('@')) ?? ''
  const rest = cells.filter(cell => cell !== email && cell !== '')
  const minutes = rest.find(cell => /^\d{1,4}$/.test(cell))
  const name = rest.find(cell => cell !== minutes) ?? ''
  return {
    ...emptyRecipient(),
    email,
    name,
    extra: minutes && Number(minutes) > 0 ? String(Math.min(Number(minutes), 1440)) : '',
  }
}
