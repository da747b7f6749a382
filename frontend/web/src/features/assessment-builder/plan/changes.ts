/** All edits of a plan, as pure functions. An edit that is not possible returns the same form object. */
import {
  type Choice,
  type Form,
  type Item,
  itemsOf,
  LIMITS,
  nextKey,
  type Section,
  type Settings,
} from './form'
import { withFittingHonour } from './honour'

/** One place up or down. */
export type Step = -1 | 1
export type Change =
  | { do: 'set'; fields: Partial<Settings> }
  | { do: 'load'; form: Form }
  | { do: 'add section' }
  | {
      do: 'set section'
      section: string
      fields: Partial<Pick<Section, 'title' | 'minutes' | 'draw' | 'assistant'>>
    }
  | { do: 'move section'; section: string; by: Step }
  | { do: 'remove section'; section: string }
  | { do: 'add item'; section: string; choice: Choice; points: number }
  | { do: 'set item'; item: string; fields: Partial<Omit<Item, 'key' | 'choices' | 'follow_up_points'>> }
  | { do: 'set follow-ups'; item: string; points: number[]; followUps: string[][] }
  | { do: 'move item'; item: string; by: Step }
  | { do: 'remove item'; item: string }
  | { do: 'add choice'; item: string; choice: Choice }
  | { do: 'set choice'; item: string; at: number; choice: Choice }
  | { do: 'remove choice'; item: string; at: number }

export function applyChange(form: Form, change: Change): Form {
  switch (change.do) {
    case 'set':
      return { ...form, ...change.fields }
    case 'load':
      return change.form
    case 'add section':
      return withSections(form, [...form.sections, newSection(form)])
    case 'set section':
      return withFittingHonour(ofSection(form, change.section, section => ({ ...section, ...change.fields })))
    case 'move section':
      return sectionMoved(form, change.section, change.by)
    case 'remove section':
      return withSections(
        form,
        form.sections.filter(each => each.key !== change.section),
      )
    case 'add item':
      return ofSection(form, change.section, section => ({
        ...section,
        items: [...section.items, newItem(form, change.choice, change.points)],
      }))
    case 'set item':
      return ofItem(form, change.item, item => ({ ...item, ...change.fields }))
    case 'set follow-ups':
      return ofItem(form, change.item, item => ({
        ...item,
        follow_up_points: change.points,
        choices: item.choices.map((choice, at) => ({
          ...choice,
          follow_ups: change.followUps[at]?.slice(0, change.points.length) ?? [],
        })),
      }))
    case 'move item':
      return itemMoved(form, change.item, change.by)
    case 'remove item':
      return ofItems(form, items => items.filter(each => each.key !== change.item))
    case 'add choice':
      return ofItem(form, change.item, item => ({ ...item, choices: [...item.choices, change.choice] }))
    case 'set choice':
      return ofItem(form, change.item, item => ({
        ...item,
        choices: item.choices.with(change.at, change.choice),
      }))
    case 'remove choice':
      return ofItem(form, change.item, item => ({ ...item, choices: item.choices.toSpliced(change.at, 1) }))
  }
}

const withSections = (form: Form, sections: Section[]): Form => ({ ...form, sections })

const ofSection = (form: Form, key: string, change: (section: Section) => Section): Form =>
  withSections(
    form,
    form.sections.map(each => (each.key === key ? change(each) : each)),
  )

const ofItems = (form: Form, change: (items: Item[]) => Item[]): Form =>
  withSections(
    form,
    form.sections.map(each => ({ ...each, items: change(each.items) })),
  )

const ofItem = (form: Form, key: string, change: (item: Item) => Item): Form =>
  ofItems(form, items => items.map(each => (each.key === key ? change(each) : each)))

function newSection(form: Form): Section {
  const key = nextKey(
    `section-${form.sections.length + 1}`,
    form.sections.map(each => each.key),
  )
  return { key, title: '', minutes: null, draw: null, assistant: 'none', items: [] }
}

function newItem(form: Form, choice: Choice, points: number): Item {
  const taken = itemsOf(form).map(each => each.key)
  const rules = { feedback: 'everything', submissions: null, pause_s: null } as const
  return { key: nextKey(choice.name, taken), points, follow_up_points: [], ...rules, choices: [choice] }
}

function sectionMoved(form: Form, key: string, by: Step): Form {
  const at = form.sections.findIndex(each => each.key === key)
  return form.sections[at + by] ? withSections(form, swapped(form.sections, at, at + by)) : form
}

/** Moves an item by one place; from the end of a section into the neighbouring one. */
function itemMoved(form: Form, key: string, by: Step): Form {
  const home = form.sections.findIndex(each => each.items.some(item => item.key === key))
  const section = form.sections[home]
  if (!section) return form
  const at = section.items.findIndex(each => each.key === key)
  if (section.items[at + by])
    return ofSection(form, section.key, each => ({ ...each, items: swapped(each.items, at, at + by) }))
  const next = form.sections[home + by]
  const item = section.items[at]
  if (!next || !item || next.items.length >= LIMITS.items) return form
  const left = ofSection(form, section.key, each => ({ ...each, items: each.items.toSpliced(at, 1) }))
  return ofSection(left, next.key, each => ({
    ...each,
    items: by === 1 ? [item, ...each.items] : [...each.items, item],
  }))
}

const swapped = <T>(all: T[], a: number, b: number): T[] =>
  all.map((each, at) => (at === a ? (all[b] ?? each) : at === b ? (all[a] ?? each) : each))
