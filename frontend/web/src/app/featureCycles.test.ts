import { expect, it } from 'vitest'

const sources = import.meta.glob<string>('../features/**/*.{ts,tsx}', {
  query: '?raw',
  import: 'default',
  eager: true,
})

/** For each feature, the features that its modules import, including type-only imports. */
function importsOfFeatures(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  for (const [path, source] of Object.entries(sources)) {
    const feature = path.split('/')[2] ?? ''
    const imported = found.get(feature) ?? new Set()
    for (const [, name = ''] of source.matchAll(/'@\/features\/([\w-]+)/g)) imported.add(name)
    found.set(feature, imported)
  }
  return found
}

// Biome finds cycles between files. Two features can import each other without any such cycle.
it('features import each other without cycles', () => {
  const remaining = importsOfFeatures()
  expect(remaining.size).toBeGreaterThan(20)
  const isFree = (feature: string) => ![...(remaining.get(feature) ?? [])].some(other => remaining.has(other))
  for (
    let free = [...remaining.keys()].filter(isFree);
    free.length;
    free = [...remaining.keys()].filter(isFree)
  )
    for (const feature of free) remaining.delete(feature)
  expect([...remaining.keys()]).toEqual([])
})
