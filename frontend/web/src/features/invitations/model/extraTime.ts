/** A person's extra time: a factor for the assessment's minutes, or additional minutes. */
export interface ExtraTime {
  extra_minutes: number
  time_percent: Percent
}
export type Percent = 100 | 125 | 150 | 200

export const NO_EXTRA_TIME: ExtraTime = { extra_minutes: 0, time_percent: 100 }
export const FACTORS = ['×1.25', '×1.5', '×2']
const MOST_MINUTES = 1440

/** Parses `15`, `15 min`, `×1.5`, `1.5x` or an empty text; null for anything else. */
export function toExtraTime(written: string): ExtraTime | null {
  const text = written.trim().toLowerCase()
  if (text === '') return NO_EXTRA_TIME
  const factor = /^(?:[×x*]\s*([\d.]+)|([\d.]+)\s*[×x])$/.exec(text)
  if (factor) {
    const value = Number(factor[1] ?? factor[2])
    return FACTORS.includes(`×${value}`) ? { ...NO_EXTRA_TIME, time_percent: (value * 100) as Percent } : null
  }
  const minutes = /^\+?(\d{1,4})(?:\s*min(?:utes)?)?$/.exec(text)
  const value = Number(minutes?.[1] ?? Number.NaN)
  return value <= MOST_MINUTES ? { ...NO_EXTRA_TIME, extra_minutes: value } : null
}

/** Formats extra time: `×1.5`, `+15 min`, both, or an empty text. */
export function formatExtraTime({
  extra_minutes,
  time_percent,
}: {
  extra_minutes: number
  time_percent: number
}): string {
  const factor = time_percent > 100 ? `×${time_percent / 100}` : ''
  const minutes = extra_minutes > 0 ? `+${extra_minutes} min` : ''
  return [factor, minutes].filter(Boolean).join(' ')
}

export const INVALID_EXTRA_TIME = 'Enter minutes, or choose ×1.25, ×1.5 or ×2.'
