/** Order matters: nearly every browser also claims to be the ones after it. */
const BROWSERS: [RegExp, string][] = [
  [/Edg\w*\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrom\w*\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const SYSTEMS: [RegExp, string][] = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
]

const first = (agent: string, names: [RegExp, string][]) => names.find(([mark]) => mark.test(agent))?.[1]

/** «Firefox on Linux», as far as a browser tells; else what it tells, or that it tells nothing. */
export function browserOf(agent: string): string {
  const browser = first(agent, BROWSERS)
  const system = first(agent, SYSTEMS)
  if (browser && system) return `${browser} on ${system}`
  return browser ?? (agent || 'A browser that does not say which')
}
