/** Two who wrote at the same plan: where they differ, and one plan made of both. Pure. */

import { many } from '../team/words'
import { type Form, nameOf, type Section, type Settings, same } from './form'
import { moment } from './moments'
import { HABITS } from './recorded'
import type { Things } from './things'

export type Side = 'mine' | 'theirs'
export interface Difference {
  /** A setting's name, a section's key after `section:`, or the order of the sections. */
  key: string
  name: string
  mine: string
  theirs: string
  /** The side that changed it; mine, if both did. */
  likely: Side
  both: boolean
}

const ORDER = 'order'
const NAMES: Record<keyof Settings, string> = {
  minutes: 'Minutes',
  opens_at: 'Opens',
  closes_at: 'Closes',
  attempts: 'Attempts',
  verdicts: 'Verdicts',
  instructions: 'Instructions',
  allowed: 'What is allowed',
  honour: 'Honour statement',
  practice: 'Practice',
  recorded: 'What is recorded',
  retention_days: 'Days until it is erased',
}
const SETTINGS = Object.keys(NAMES) as (keyof Settings)[]

/** `base` is what both began with, if anything. */
export function differences(
  base: Form | null,
  mine: Form,
  theirs: Form,
  things: Things | null,
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
        `Section «${(section(mine, key) ?? section(theirs, key))?.title}»`,
        form => section(form, key),
        form => tellSection(section(form, key), things),
      ),
    ),
    ...row(
      ORDER,
      'Order of the sections',
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

/** Of each difference the side that was taken. */
export function merged(mine: Form, theirs: Form, side: (key: string) => Side): Form {
  const of = (key: string) => (side(key) === 'mine' ? mine : theirs)
  const settings = SETTINGS.map(name => [name, of(name)[name]])
  const sections = keysOf(of(ORDER), of(ORDER) === mine ? theirs : mine).flatMap(
    key => section(of(`section:${key}`), key) ?? [],
  )
  return { ...mine, ...Object.fromEntries(settings), sections: onceEach(sections) }
}

/** An item that one moved and the other kept stays where it comes first. */
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

function tellSection(section: Section | undefined, things: Things | null): string {
  if (!section) return 'Not there'
  const titles = section.items.map(item =>
    item.choices.map(choice => things?.get(nameOf(choice))?.title ?? choice.name).join(' or '),
  )
  const points = section.items.reduce((sum, each) => sum + each.points, 0)
  const rules = [
    `${section.title}: ${many(points, 'point')}`,
    section.draw === null ? '' : `${section.draw} drawn`,
    section.minutes === null ? '' : `${section.minutes} minutes`,
  ]
  return [rules.filter(Boolean).join(', '), ...titles].join('\n')
}

function tell(form: Form, name: keyof Settings): string {
  const value = form[name]
  if (name === 'verdicts') return value === 'after' ? 'After the end' : 'At once'
  if (name === 'recorded') return form.recorded.map(each => HABITS[each].name).join(', ') || 'Nothing'
  if (name === 'opens_at' || name === 'closes_at') return value ? moment(String(value)) : 'Always'
  return value === null || value === '' ? 'Nothing' : String(value)
}
