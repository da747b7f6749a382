/** Ranges of lines: the first and the last line of each, counted from 1. Pure functions. */
export type LineRange = [number, number]

export const holdsLine = (ranges: readonly (readonly number[])[], line: number): boolean =>
  ranges.some(([first = 0, last = 0]) => first <= line && line <= last)

/** The ranges with the lines between `from` and `to` marked or not. Ranges that touch become one. */
export function withLines(ranges: LineRange[], from: number, to: number, on: boolean): LineRange[] {
  const [first, last] = [Math.min(from, to), Math.max(from, to)]
  const rest = ranges.flatMap(([a, b]): LineRange[] => {
    if (b < first || a > last) return [[a, b]]
    const parts: LineRange[] = [
      [a, first - 1],
      [last + 1, b],
    ]
    return parts.filter(([x, y]) => x <= y)
  })
  return joined(on ? [...rest, [first, last]] : rest)
}

function joined(ranges: LineRange[]): LineRange[] {
  const found: LineRange[] = []
  for (const [first, last] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const before = found.at(-1)
    if (before && first <= before[1] + 1) before[1] = Math.max(before[1], last)
    else found.push([first, last])
  }
  return found
}

/** The range that contains a line, or undefined. */
export const rangeAt = (ranges: LineRange[], line: number): LineRange | undefined =>
  ranges.find(([first, last]) => first <= line && line <= last)

/** The ranges as text, such as «lines 3–5 and 8». */
export function describeLines(ranges: readonly (readonly number[])[]): string {
  if (ranges.length === 0) return 'no lines'
  const names = ranges.map(([first, last]) => (first === last ? `${first}` : `${first}–${last}`))
  const single = ranges.length === 1 && ranges[0]?.[0] === ranges[0]?.[1]
  const text = names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : names[0]
  return `${single ? 'line' : 'lines'} ${text}`
}
