/** The order matters: nearly every browser also claims to be those listed after it. */
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

/** «Firefox on Linux» where the user agent tells that much; otherwise the user agent itself, or a text that says there is none. */
export function browserName(agent: string): string {
  const browser = first(agent, BROWSERS)
  const system = first(agent, SYSTEMS)
  if (browser && system) return `${browser} on ${system}`
  return browser ?? (agent || 'Unknown browser')
}
