/** Changes the lines of a text that are selected, and makes them a block of their own. */
export function changeLines(
  text: string,
  from: number,
  to: number,
  change: (lines: string) => string,
): string {
  const start = from === 0 ? 0 : text.lastIndexOf('\n', from - 1) + 1
  const next = text.indexOf('\n', to)
  const end = next === -1 ? text.length : next
  const before = text.slice(0, start).trimEnd()
  const after = text.slice(end).trimStart()
  return [before, change(text.slice(start, end)), after].filter(part => part !== '').join('\n\n')
}
