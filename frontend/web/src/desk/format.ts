/** Numbers and moments as the desk writes them. */
const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const number = new Intl.NumberFormat()

export const when = (text: string | null) => (text ? moment.format(new Date(text)) : 'never')
export const count = (value: number) => number.format(value)
export const many = (value: number, one: string, more = `${one}s`) =>
  `${count(value)} ${value === 1 ? one : more}`

/** 0.092 → «92 ms», 75 → «1 min 15 s». */
export function lasting(seconds: number | null): string {
  if (seconds === null) return '–'
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`
  if (seconds < 60) return `${seconds.toFixed(1)} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`
  return `${Math.floor(seconds / 3600)} h ${Math.round((seconds % 3600) / 60)} min`
}
