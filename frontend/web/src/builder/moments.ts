/** Moments as the reader's place writes them; the service keeps them in UTC. */

const written = new Intl.DateTimeFormat(undefined, {
  dateStyle: 'full',
  timeStyle: 'short',
})

export const moment = (iso: string): string => `${written.format(new Date(iso))} (${offset(new Date(iso))})`

/** The reader's zone with its offset at a moment: «Europe/Berlin, UTC+2». */
export function zone(iso: string | null): string {
  const name = Intl.DateTimeFormat().resolvedOptions().timeZone.replaceAll('_', ' ')
  const told = offset(iso ? new Date(iso) : new Date())
  return name === told ? name : `${name}, ${told}`
}

function offset(date: Date): string {
  const parts = new Intl.DateTimeFormat('en', { timeZoneName: 'shortOffset' }).formatToParts(date)
  const told = parts.find(each => each.type === 'timeZoneName')?.value ?? ''
  return told.replace(/^GMT(\+0)?$/, 'UTC').replace('GMT', 'UTC')
}

/** As a field of a form takes it: `2026-05-01T09:00`, in the reader's time. */
export function toLocal(iso: string | null): string {
  if (!iso) return ''
  const date = new Date(iso)
  const two = (part: number) => String(part).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}T${two(date.getHours())}:${two(date.getMinutes())}`
}

/** The moment of a field; null for what is none, and for years before which nobody plans. */
export function toUtc(local: string): string | null {
  const date = new Date(local)
  if (Number.isNaN(date.getTime()) || date.getFullYear() < 2020 || date.getFullYear() > 2100) return null
  return date.toISOString().replace('.000Z', 'Z')
}
