/** Formats numbers, counts, durations and times. */
const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const number = new Intl.NumberFormat()

export const formatOptionalDateTime = (text: string | null) =>
  text ? moment.format(new Date(text)) : 'never'
export const formatCount = (value: number) => number.format(value)
export const pluralize = (value: number, one: string, more = `${one}s`) =>
  `${formatCount(value)} ${value === 1 ? one : more}`

/** 0.092 → «92 ms», 75 → «1 min 15 s». */
export function formatDuration(seconds: number | null): string {
  if (seconds === null) return '–'
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`
  if (seconds < 60) return `${seconds.toFixed(1)} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`
  return `${Math.floor(seconds / 3600)} h ${Math.round((seconds % 3600) / 60)} min`
}

export const formatPercent = (share: number | null) => (share === null ? '–' : `${Math.round(100 * share)}%`)

/** At most two decimals, without trailing zeros. */
export const formatPoints = (value: number) => String(Math.round(100 * value) / 100)

const ordinals = new Intl.PluralRules('en', { type: 'ordinal' })
const SUFFIXES: Partial<Record<Intl.LDMLPluralRule, string>> = { one: 'st', two: 'nd', few: 'rd' }

/** A rank in English, such as 1st, 22nd, 113th. */
export const formatOrdinal = (rank: number) =>
  `${formatCount(rank)}${SUFFIXES[ordinals.select(rank)] ?? 'th'}`
