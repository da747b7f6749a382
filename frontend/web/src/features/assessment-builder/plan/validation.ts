/** Problems that prevent saving or opening a plan. The service checks the same rules; this check runs while the author types. */
import type { Field } from '@/api/client'
import { pluralize } from '@/shared/format/numbers'
import type { AvailableItems } from './availableItems'
import { type Form, nameOf } from './form'
import { itemsBefore } from './questions'

export interface PlanError extends Field {
  /** Whether it prevents even saving. */
  bars: boolean
}

/** `pinned`: items that the assessment was opened with. They stay valid even if the catalogue drops them. */
export function validatePlan(
  form: Form,
  things: AvailableItems | null,
  pinned: readonly string[] = [],
): PlanError[] {
  return [
    ...unfinished(form),
    ...impossible(form),
    ...questions(form),
    ...(things ? unknown(form, things, new Set(pinned)) : []),
  ]
}

function unfinished(form: Form): PlanError[] {
  const found: PlanError[] = []
  const bars = (field: string, message: string) => found.push({ field, message, bars: true })
  if (form.sections.length === 0) bars('sections', 'Add a section with at least one item.')
  for (const [at, section] of form.sections.entries()) {
    if (section.title.trim() === '') bars(`sections.${at}.title`, 'Give the section a title.')
    if (section.items.length === 0) bars(`sections.${at}.items`, 'Add an item, or remove the section.')
  }
  if (form.opens_at && form.closes_at && Date.parse(form.closes_at) <= Date.parse(form.opens_at))
    bars('closes_at', 'The closing time must be after the opening time.')
  return found
}

function impossible(form: Form): PlanError[] {
  const found: PlanError[] = []
  for (const [at, { draw, items }] of form.sections.entries()) {
    const followUps = new Set(items.map(each => each.follow_up_points.length))
    if (draw !== null && draw < items.length && followUps.size > 1)
      found.push({
        field: `sections.${at}.draw`,
        message: 'Items to draw from must all have the same number of follow-up questions.',
        bars: false,
      })
    if (draw !== null && draw > items.length && items.length > 0)
      found.push({
        field: `sections.${at}.draw`,
        message: `The section draws ${pluralize(draw, 'item')} but has only ${items.length}. Add items, or draw fewer.`,
        bars: false,
      })
  }
  const timed = form.sections.reduce((sum, each) => sum + (each.minutes ?? 0), 0)
  if (timed > form.minutes)
    found.push({
      field: 'minutes',
      message: `The section time limits add up to ${pluralize(timed, 'minute')}, but the assessment has only ${form.minutes}. Change one of the limits.`,
      bars: false,
    })
  return found
}

/** Questions about code that not every candidate has written before. */
function questions(form: Form): PlanError[] {
  const found: PlanError[] = []
  for (const [at, section] of form.sections.entries())
    for (const [place, item] of section.items.entries())
      for (const [index, { question }] of item.choices.entries()) {
        const before = question?.about ? itemsBefore(form, section.key, item.key) : null
        if (before?.every(each => each.key !== question?.about))
          found.push({
            field: `sections.${at}.items.${place}.choices.${index}`,
            message:
              'The question is about a challenge that does not come before it for every candidate. Edit the question, or move it.',
            bars: false,
          })
      }
  return found
}

/** Choices and follow-ups that are not in the catalogue, or that the plan uses twice. */
function unknown(form: Form, things: AvailableItems, pinned: ReadonlySet<string>): PlanError[] {
  const found: PlanError[] = []
  const seen = new Set<string>()
  const look = (field: string, name: string) => {
    if (name.startsWith('question:')) return
    const thing = things.get(name)
    const slug = name.slice(name.indexOf(':') + 1)
    if (!thing && !pinned.has(name))
      found.push({ field, message: `“${slug}” is no longer in the catalogue. Remove it.`, bars: false })
    else if (seen.has(name))
      found.push({
        field,
        message: `“${thing?.title ?? slug}” is in the plan twice. Remove one of them.`,
        bars: false,
      })
    seen.add(name)
  }
  for (const [at, section] of form.sections.entries())
    for (const [place, item] of section.items.entries())
      for (const [index, choice] of item.choices.entries()) {
        const field = `sections.${at}.items.${place}.choices.${index}`
        look(field, nameOf(choice))
        for (const name of choice.follow_ups) look(`${field}.follow_ups`, `challenge:${name}`)
      }
  if (form.practice) look('practice', `challenge:${form.practice}`)
  return found
}

/** The message for a form field. */
export const errorAt = (faults: Field[], field: string): string | undefined =>
  faults.find(each => each.field === field)?.message

/** The section of a problem, as text. */
export function describePlace(fault: Field, form: Form): string {
  const number = /^sections\.(\d+)\./.exec(fault.field)?.[1]
  if (number === undefined) return ''
  const title = form.sections[Number(number)]?.title
  return `${title || `Section ${Number(number) + 1}`}: `
}
