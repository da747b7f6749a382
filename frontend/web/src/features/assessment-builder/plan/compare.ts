/** Finds the differences between two versions of a plan and merges them. Pure functions. */

import { pluralize } from '@/shared/format/numbers'
import { POLICIES } from './assistant'
import type { AvailableItems } from './availableItems'
import { type Choice, choiceTitle, type Form, type Section, type Settings, same } from './form'
import { formatMoment } from './localTime'
import { RECORDED_LABELS } from './recorded'
import { describeRules } from './submissionRules'

export type Side = 'mine' | 'theirs'
export interface Difference {
  /** The name of a setting, a section's key after `section:`, or the order of the sections. */
  key: string
  name: string
  mine: string
  theirs: string
  /** The side that changed it; mine if both did. */
  likely: Side
  both: boolean
}

const ORDER = 'order'
const NAMES: Record<keyof Settings, string> = {
  minutes: 'Time limit in minutes',
  opens_at: 'Opens',
  closes_at: 'Closes',
  attempts: 'Attempts',
  verdicts: 'Verdicts',
  instructions: 'Instructions',
  allowed: 'Allowed resources',
  honour: 'Honour statement',
  practice: 'Practice challenge',
  recorded: 'Recorded activity',
  retention_days: 'Days until deletion',
}
const VERDICTS = { after: 'After they finish', at_once: 'Immediately', never: 'Never' }
const SETTINGS = Object.keys(NAMES) as (keyof Settings)[]

/** `base` is the common version that both sides started from, if known. */
export function findDifferences(
  base: Form | null,
  mine: Form,
  theirs: Form,
  things: AvailableItems | null,
): Difference[] {
  const row = (key: string, name: string, of: (form: Form) => unknown, tell: (form: Form) => string) => {
    if (same(of(mine), of(theirs))) return []
    const iDid = !base || !same(of(mine), of(base))
    const theyDid = !base || !same(of(theirs), of(base))
    const likely: Side = iDid ? 'mine' : 'theirs'
    return [{ key, name, mine: tell(mine), theirs: tell(theirs), likely, both: iDid && theyDid }]
  }
  const keys = keysOf(mine, theirs)
  return [
    ...keys.flatMap(key =>
      row(
        `section:${key}`,
        `Section “${(section(mine, key) ?? section(theirs, key))?.title}”`,
        form => section(form, key),
        form => tellSection(section(form, key), things),
      ),
    ),
    ...row(
      ORDER,
      'Section order',
      form => keys.filter(key => section(mine, key) && section(theirs, key)).sort(by(form)),
      form => form.sections.map(each => each.title).join(', '),
    ),
    ...SETTINGS.flatMap(name =>
      row(
        name,
        NAMES[name],
        form => form[name],
        form => tell(form, name),
      ),
    ),
  ]
}

/** Merges two plans: `side` says which one wins for each difference. */
export function mergePlans(mine: Form, theirs: Form, side: (key: string) => Side): Form {
  const of = (key: string) => (side(key) === 'mine' ? mine : theirs)
  const settings = SETTINGS.map(name => [name, of(name)[name]])
  const sections = keysOf(of(ORDER), of(ORDER) === mine ? theirs : mine).flatMap(
    key => section(of(`section:${key}`), key) ?? [],
  )
  return { ...mine, ...Object.fromEntries(settings), sections: onceEach(sections) }
}

/** If one side moved an item and the other kept it, only its first occurrence stays. */
function onceEach(sections: Section[]): Section[] {
  const seen = new Set<string>()
  return sections.map(section => ({
    ...section,
    items: section.items.filter(({ key }) => !seen.has(key) && seen.add(key)),
  }))
}

const section = (form: Form, key: string) => form.sections.find(each => each.key === key)

const keysOf = (first: Form, second: Form): string[] => [
  ...new Set([...first.sections, ...second.sections].map(each => each.key)),
]

const by = (form: Form) => {
  const order = form.sections.map(each => each.key)
  return (a: string, b: string) => order.indexOf(a) - order.indexOf(b)
}

function tellSection(section: Section | undefined, things: AvailableItems | null): string {
  if (!section) return 'Not in this version'
  const titles = section.items.map(item => {
    const names = item.choices.map(choice => tellChoice(choice, things)).join(' or ')
    const rules = describeRules(item)
    const asked = item.follow_up_points.length
    const all = [rules, asked > 0 && pluralize(asked, 'follow-up question')].filter(Boolean).join(', ')
    return all ? `${names} (${all})` : names
  })
  const points = section.items
    .flatMap(each => [each.points, ...each.follow_up_points])
    .reduce((sum, each) => sum + each, 0)
  const rules = [
    `${section.title}: ${pluralize(points, 'point')}`,
    section.draw === null ? '' : `${section.draw} drawn`,
    section.minutes === null ? '' : `${section.minutes} minutes`,
    section.assistant === 'none' ? '' : `AI assistant: ${POLICIES[section.assistant].toLowerCase()}`,
  ]
  return [rules.filter(Boolean).join(', '), ...titles].join('\n')
}

function tellChoice(choice: Choice, things: AvailableItems | null): string {
  const title = choiceTitle(choice, things)
  return choice.variants ? `${title} (one of its variants)` : title
}

function tell(form: Form, name: keyof Settings): string {
  const value = form[name]
  if (name === 'verdicts') return VERDICTS[value as Form['verdicts']]
  if (name === 'recorded')
    return form.recorded.map(each => RECORDED_LABELS[each].name).join(', ') || 'Nothing'
  if (name === 'opens_at' || name === 'closes_at') return value ? formatMoment(String(value)) : 'Not set'
  return value === null || value === '' ? 'None' : String(value)
}
