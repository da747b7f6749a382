/** What keeps a plan from being saved, or from being opened. The service says the same; this says it while one writes. */
import type { Field } from '../api/client'
import { many } from '../team/words'
import { type Form, nameOf } from './form'
import type { Things } from './things'

export interface Fault extends Field {
  /** Whether it cannot even be saved. */
  bars: boolean
}

export function faultsOf(form: Form, things: Things | null): Fault[] {
  return [...unfinished(form), ...impossible(form), ...(things ? unknown(form, things) : [])]
}

function unfinished(form: Form): Fault[] {
  const found: Fault[] = []
  const bars = (field: string, message: string) => found.push({ field, message, bars: true })
  if (form.sections.length === 0) bars('sections', 'Add a section with something to do.')
  for (const [at, section] of form.sections.entries()) {
    if (section.title.trim() === '') bars(`sections.${at}.title`, 'Give the section a title.')
    if (section.items.length === 0)
      bars(`sections.${at}.items`, 'Add something to do, or remove the section.')
  }
  if (form.opens_at && form.closes_at && Date.parse(form.closes_at) <= Date.parse(form.opens_at))
    bars('closes_at', 'The window must close after it opens.')
  return found
}

function impossible(form: Form): Fault[] {
  const found: Fault[] = []
  for (const [at, { draw, items }] of form.sections.entries())
    if (draw !== null && draw > items.length && items.length > 0)
      found.push({
        field: `sections.${at}.draw`,
        message: `${draw} cannot be drawn from ${many(items.length, 'item')}.`,
        bars: false,
      })
  const timed = form.sections.reduce((sum, each) => sum + (each.minutes ?? 0), 0)
  if (timed > form.minutes)
    found.push({
      field: 'minutes',
      message: `The sections alone have ${timed} minutes, the whole ${form.minutes}.`,
      bars: false,
    })
  return found
}

/** Choices that the catalogue does not have, or that are in the plan twice. */
function unknown(form: Form, things: Things): Fault[] {
  const found: Fault[] = []
  const seen = new Set<string>()
  const look = (field: string, name: string) => {
    const thing = things.get(name)
    const told = name.slice(name.indexOf(':') + 1)
    if (!thing) found.push({ field, message: `The catalogue has no «${told}» any more.`, bars: false })
    else if (seen.has(name))
      found.push({ field, message: `«${thing.title}» is in the plan twice.`, bars: false })
    seen.add(name)
  }
  for (const [at, section] of form.sections.entries())
    for (const [place, item] of section.items.entries())
      for (const [index, choice] of item.choices.entries())
        look(`sections.${at}.items.${place}.choices.${index}`, nameOf(choice))
  if (form.practice) look('practice', `challenge:${form.practice}`)
  return found
}

/** The message for a field of the form. */
export const at = (faults: Field[], field: string): string | undefined =>
  faults.find(each => each.field === field)?.message

/** In which section it is, in words. */
export function placeOf(fault: Field, form: Form): string {
  const number = /^sections\.(\d+)\./.exec(fault.field)?.[1]
  if (number === undefined) return ''
  const title = form.sections[Number(number)]?.title
  return `${title || `Section ${Number(number) + 1}`}: `
}
