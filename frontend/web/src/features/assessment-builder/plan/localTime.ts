/** Formats and parses times in the reader's time zone; the service stores UTC. */

const written = new Intl.DateTimeFormat(undefined, {
  dateStyle: 'full',
  timeStyle: 'short',
})

export const formatMoment = (iso: string): string =>
  `${written.format(new Date(iso))} (${offset(new Date(iso))})`

/** The reader's time zone with its offset at that time: «Europe/Berlin, UTC+2». */
export function timeZone(iso: string | null): string {
  const name = Intl.DateTimeFormat().resolvedOptions().timeZone.replaceAll('_', ' ')
  const zone = offset(iso ? new Date(iso) : new Date())
  return name === zone ? name : `${name}, ${zone}`
}

function offset(date: Date): string {
  const parts = new Intl.DateTimeFormat('en', { timeZoneName: 'shortOffset' }).formatToParts(date)
  const zone = parts.find(each => each.type === 'timeZoneName')?.value ?? ''
  return zone.replace(/^GMT(\+0)?$/, 'UTC').replace('GMT', 'UTC')
}

/** The value of a form field: `2026-05-01T09:00`, in the reader's time zone. */
export function toLocal(iso: string | null): string {
  if (!iso) return ''
  const date = new Date(iso)
  const two = (part: number) => String(part).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}T${two(date.getHours())}:${two(date.getMinutes())}`
}

/** The time that a field holds; null if it is not valid or the year is too early to be meant. */
export function toUtc(local: string): string | null {
  const date = new Date(local)
  if (Number.isNaN(date.getTime()) || date.getFullYear() < 2020 || date.getFullYear() > 2100) return null
  return date.toISOString().replace('.000Z', 'Z')
}
